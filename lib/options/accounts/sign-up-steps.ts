import type { Request, RequestHandler, Response } from 'express'
import type { Visitors } from '../../auth/visitors'
import { HttpError } from '../../errors'
import { isRecord } from '../../is-record'
import { accountOf } from './account'
import type { AccountSettings } from './account-settings'
import type { User } from './identify'
import type { Issue } from './issue'
import { newUser } from './new-user'

export interface SignUpOptions {
  settings: AccountSettings
  visitors: Visitors
  /** The stored users as they are now; undefined where the data has no such collection. */
  users: () => readonly unknown[] | undefined
  idProperty: string
  issue: Issue
  /** Refuses every change. */
  readOnly: boolean
  /** json-server's way of a request, which stores the user. */
  store: RequestHandler
}

/** The two steps of a sign-up. */
export interface SignUpSteps {
  /**
   * Lets a sign-up pass the token check, to nowhere but where users are stored.
   *
   * @param path as it was configured: the user's middlewares see no other spelling of it
   */
  begin: (path: string) => RequestHandler
  /** Stores the user, after the user's own middlewares, which may refuse a field. */
  finish: RequestHandler
}

export function signUpSteps(options: SignUpOptions): SignUpSteps {
  const { settings, visitors, users, idProperty, issue, readOnly, store } = options
  const path = `/${settings.users}`
  const begun = new WeakSet<object>()
  /** Ends when the sign-up before has ended: otherwise two at once could take the same name. */
  let last: Promise<unknown> = Promise.resolve()

  /** @throws HttpError when nobody can sign up so */
  async function signUp(request: Request, response: Response): Promise<void> {
    const user = await newUser(request.body, users() ?? noUsers(settings.users))
    const { status, record } = await storeBy(store, path, user, request, response)
    if (status !== 201 || !isRecord(record)) noUsers(settings.users)
    else issue(request, response, accountOf(record, idProperty), { status, message: 'Signed up.' })
  }

  return {
    begin: (configured) => (request, _response, next) => {
      if (readOnly)
        return next(new HttpError({ status: 403, message: 'This server is read-only: nobody can sign up.' }))
      begun.add(request)
      request.url = request.url.replace(/^[^?]*/, () => configured)
      visitors.admitTo(request, (method, place) => method === 'POST' && place === path)
      next()
    },
    finish(request, response, next) {
      if (!begun.has(request)) return next()
      last = last.then(() => signUp(request, response)).catch(next)
    },
  }
}

function noUsers(name: string): never {
  throw new HttpError({
    status: 404,
    message: `The data has no collection "${name}": add "${name}": [] to it.`,
  })
}

/** What json-server has responded with. */
interface Stored {
  status: number
  record: unknown
}

/** Stores a user by the way of every POST, which sends the record by `jsonp`, as json-server does. */
function storeBy(
  store: RequestHandler,
  path: string,
  user: User,
  request: Request,
  response: Response,
): Promise<Stored> {
  return new Promise((resolve, reject) => {
    const { jsonp } = response
    Object.assign(request, { method: 'POST', url: path, query: {}, body: user })
    response.jsonp = (record: unknown) => {
      response.jsonp = jsonp
      response.removeHeader('Location')
      resolve({ status: response.statusCode, record })
      return response
    }
    // Whoever waits for the next turn must not wait for a client that is gone.
    response.once('close', () => reject(new HttpError({ status: 503, message: 'The connection has ended.' })))
    store(request, response, reject)
  })
}
