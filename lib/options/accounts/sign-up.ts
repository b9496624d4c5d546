import { setImmediate as nextTick } from 'node:timers/promises'
import type { RequestHandler } from 'express'
import type { User } from '../../auth/user-fields'
import { HttpError } from '../../errors'
import type { Handler, HttpRequest, HttpResponse } from '../../http/handler'
import { begin } from './account-handlers'
import type { Accounts } from './account-settings'
import { issue } from './issue'
import { hashesOf, newUser } from './new-user'

/**
 * Stores the user that is made of the users as they are at that moment, so that nobody takes a name in between.
 *
 * @returns the record with its id; undefined where there is no collection of users
 */
export type StoreUser = (make: (users: readonly unknown[]) => User) => Promise<User | undefined>

/** Makes what stores the user of a body, and logs in: one after the other, or two at once could take the same name. */
export function makeSignUp(accounts: Accounts) {
  let last: Promise<unknown> = Promise.resolve()
  async function signUp({ body }: HttpRequest, response: HttpResponse, store: StoreUser): Promise<void> {
    const hashes = await hashesOf(body, accounts.known().loginUsers ?? [])
    const user = await store((users) => newUser(body, users, hashes))
    if (user === undefined) {
      const { loginUsers: name } = accounts
      const message = `The data has no list "${name}": it needs "${name}": [].`
      throw new HttpError({ status: 404, message })
    }
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
  store: StoreUser
}

/** The two steps of a sign-up: the user's own middlewares stand between, and may refuse a field. */
export function signUpSteps(accounts: Accounts, { readOnly, store }: SignUpOptions) {
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
    if (begun.has(request)) signUp(request, response, store).catch(next)
    else next()
  }

  return { beginAt, finish }
}
