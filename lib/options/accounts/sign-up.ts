import { setImmediate as nextTick } from 'node:timers/promises'
import type { Request, RequestHandler, Response } from 'express'
import type { KnownUsers } from '../../auth/user-of-token'
import type { Visitors } from '../../auth/visitors'
import { HttpError } from '../../errors'
import type { HttpResponse } from '../../http/handler'
import { isRecord } from '../../is-record'
import { accountOf } from './account'
import type { AccountSettings } from './account-settings'
import type { User } from './identify'
import type { Issue } from './issue'
import { newUser } from './new-user'

/**
 * Stores the user of a body, and logs in.
 *
 * @param store gives the stored record
 * @throws HttpError when nobody can sign up so
 */
export type SignUp = (response: HttpResponse, body: unknown, store: (user: User) => unknown) => Promise<void>

export interface SignUpOptions {
  settings: AccountSettings
  /** The users as they are now. */
  known: () => KnownUsers
  issue: Issue
}

export function makeSignUp({ settings, known, issue }: SignUpOptions): SignUp {
  /** Ends when the sign-up before has ended: otherwise two at once could take the same name. */
  let last: Promise<unknown> = Promise.resolve()
  async function signUp(...[response, body, store]: Parameters<SignUp>): Promise<void> {
    const { accounts, idProperty } = known()
    if (accounts === undefined)
      throw new HttpError({
        status: 404,
        message: `The data has no collection "${settings.loginUsers}": add "${settings.loginUsers}": [] to it.`,
      })
    const record = await store(await newUser(body, accounts))
    if (!isRecord(record)) throw new TypeError('A sign-up has stored no record.')
    issue(response, accountOf(record, idProperty), { status: 201, message: 'Signed up.' })
  }
  return (...given) => {
    // Other requests come between: twenty sign-ups of 10 MB would keep them waiting for 4 s.
    const turn = last.then(() => nextTick()).then(() => signUp(...given))
    last = turn.catch(() => {})
    return turn
  }
}

export interface SignUpStepsOptions {
  /** The collection of the users. */
  collection: string
  visitors: Visitors
  /** Refuses every change. */
  readOnly: boolean
  /** json-server's way of a request, which stores the user. */
  store: RequestHandler
  signUp: SignUp
}

/** The two steps of a sign-up: the user's own middlewares stand between, and may refuse a field. */
export interface SignUpSteps {
  /**
   * Lets a sign-up pass the token check, to nowhere but where users are stored.
   *
   * @param path as it was configured: the user's middlewares see no other spelling of it
   */
  begin: (path: string) => RequestHandler
  /** Stores the user. */
  finish: RequestHandler
}

export function signUpSteps({
  collection,
  visitors,
  readOnly,
  store,
  signUp,
}: SignUpStepsOptions): SignUpSteps {
  const path = `/${collection}`
  const begun = new WeakSet<object>()
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
      signUp(response, request.body, (user) => storeBy(store, path, user, request, response)).catch(next)
    },
  }
}

/** Stores a user by the way of every POST, which sends the record by `jsonp`, as json-server does. */
function storeBy(
  store: RequestHandler,
  path: string,
  user: User,
  request: Request,
  response: Response,
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const { jsonp } = response
    Object.assign(request, { method: 'POST', url: path, query: {}, body: user })
    response.jsonp = (record: unknown) => {
      response.jsonp = jsonp
      response.removeHeader('Location')
      resolve(response.statusCode === 201 ? record : undefined)
      return response
    }
    // Whoever waits for the next turn must not wait for a client that is gone.
    response.once('close', () => reject(new HttpError({ status: 503, message: 'The connection has ended.' })))
    store(request, response, reject)
  })
}
