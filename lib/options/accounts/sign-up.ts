import { setImmediate as nextTick } from 'node:timers/promises'
import type { RequestHandler } from 'express'
import type { User } from '../../auth/user-fields'
import { HttpError } from '../../errors'
import type { Handler, HttpRequest, HttpResponse } from '../../http/handler'
import { isRecord } from '../../is-record'
import { begin } from './account-handlers'
import type { Accounts } from './account-settings'
import { issue } from './issue'
import { newUser } from './new-user'

/** Stores a user, and gives the record with its id. */
export type AddUser = (user: User) => unknown

/** Makes what stores the user of a body, and logs in: one after the other, or two at once could take the same name. */
export function makeSignUp(accounts: Accounts) {
  let last: Promise<unknown> = Promise.resolve()
  async function signUp({ body }: HttpRequest, response: HttpResponse, addUser: AddUser): Promise<void> {
    const { loginUsers: users } = accounts.known()
    if (users === undefined) {
      const { loginUsers: name } = accounts
      const message = `There is no collection "${name}" in the data: add "${name}": [] to it.`
      throw new HttpError({ status: 404, message })
    }
    const user = await addUser(await newUser(body, users))
    if (!isRecord(user)) throw new TypeError('addUser must give the record that it has stored.')
    issue(accounts, response, user, { status: 201, message: 'Signed up.' })
  }
  return (...given: Parameters<typeof signUp>): Promise<void> => {
    // Other requests come between: twenty sign-ups of 10 MB would keep them waiting for 4 s.
    const turn = last.then(() => nextTick()).then(() => signUp(...given))
    last = turn.catch(() => {})
    return turn
  }
}

export interface SignUpOptions {
  /** Refuses every change. */
  readOnly: boolean
  addUser: AddUser
}

/** The two steps of a sign-up: the user's own middlewares stand between, and may refuse a field. */
export function signUpSteps(accounts: Accounts, { readOnly, addUser }: SignUpOptions) {
  const signUp = makeSignUp(accounts)
  const begun = new WeakSet<object>()

  /** Lets a sign-up pass the token check, to no resource. */
  const beginAt =
    (path: string): Handler =>
    (request, response, next) => {
      begin(accounts, request, response)
      if (readOnly)
        throw new HttpError({ status: 403, message: 'This server is read-only: nobody can sign up.' })
      begun.add(request)
      // The user's middlewares see no other spelling of it.
      request.url = request.url.replace(/^[^?]*/, () => path)
      accounts.visitors.letPass(request)
      next()
    }

  /** Stores the user. */
  const finish: RequestHandler = (request, response, next) => {
    if (begun.has(request)) signUp(request, response, addUser).catch(next)
    else next()
  }

  return { beginAt, finish }
}
