import { fieldOf, type User } from '../auth/person-fields'
import type { KnownUsers } from '../auth/user-of-token'
import { badRequest, HttpError } from '../errors'
import type { HttpRequest } from '../http/handler'
import { notesOf } from '../http/notes'
import { isRecord } from '../is-record'
import { Turns } from '../turns'
import type { AccountSettings } from './account-settings'
import { readNewUser, takenNames } from './new-user'
import { letOthersIn } from './password-hashes'
import type { IndexOf } from './people-index'

/**
 * Stores the user that is made of the users as they are at that moment, so that nobody takes a name in between.
 *
 * @returns the record with its id; undefined where there is no collection of users
 */
export type StoreUser = (
  make: (users: readonly unknown[]) => User,
  request: HttpRequest,
) => Promise<User | undefined>

interface SignUpOptions {
  settings: AccountSettings
  indexOf: IndexOf
  known: () => KnownUsers
  store: StoreUser
}

/**
 * Makes what stores the user of a body: one after the other, or two at once could take the same name. Clients of several
 * addresses take turns.
 *
 * @returns a function that gives the stored record, and rejects with an HttpError: 400 for a body that cannot be a user,
 *   404 where there is no collection for it, 409, or what the options say, where somebody has the name
 */
export function makeSignUp({ settings, indexOf, known, store }: SignUpOptions) {
  const { fields, loginUsers: name, signUpRefusal, personRefusal } = settings
  const { status } = signUpRefusal
  const turns = new Turns()

  async function signUp(request: HttpRequest): Promise<User> {
    const { body } = request
    if (!isRecord(body)) throw badRequest('The body must be a JSON object, in braces.')
    const newUser = readNewUser(body, settings)
    const user = await store((users) => {
      const taken = takenNames(newUser, [users, known().logins], { fields, indexOf })
      if (taken.length > 0)
        throw personRefusal.refuse(taken, {
          status,
          message: 'Somebody has signed up with this name already: log in instead.',
        })
      return newUser
    }, request)
    if (user === undefined)
      throw new HttpError({
        status: 404,
        message: `The data has no list "${name}": it needs "${name}": [].`,
      })
    return user
  }

  return (request: HttpRequest): Promise<User> => {
    const sent = isRecord(request.body) ? request.body : {}
    const given = fields.passwordFieldOf(sent)
    // The log and the journal need it where the client goes before its turn has come.
    if (given !== undefined) notesOf(request).passwords = [fieldOf(sent, given)]
    return turns.take(request.socket.remoteAddress ?? '', async () => {
      // A hash takes 0.1 s: a hundred sign-ups that are looked at in one turn would keep all other requests waiting.
      await letOthersIn()
      return signUp(request)
    })
  }
}
