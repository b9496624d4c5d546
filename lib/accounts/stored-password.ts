import { isHash } from '../auth/hash-pattern'
import { rememberHashed } from '../auth/hashed-passwords'
import { fieldsOf, type User } from '../auth/person-fields'
import type { Handler, HttpRequest } from '../http/handler'
import { notesOf } from '../http/notes'
import { comparablePath, decodePath } from '../http/request'
import { isObject, isRecord } from '../is-record'
import { CollectionIndex } from '../json-server/collection-index'
import type { DataAccounts } from './data-accounts'
import { haveHashes, refuseNameOfAnother, withoutRepeated } from './new-user'
import { hashPassword } from './password-hashes'
import type { IndexOf } from './people-index'

/**
 * Comes before the resources, for changes of those who log in: where a password is stored as a hash, a new one is stored as
 * one, too, and a PUT without a password keeps the one that there is, because applications send back the user that the
 * login gave them. A POST may bring several. Any other request is passed on as it is.
 */
export function storedPassword(
  { settings: { fields, loginUsers }, authentication, known }: DataAccounts,
  indexOf: IndexOf,
): Handler {
  const collection = comparablePath(`/${loginUsers}`)

  /** The body as it is to be stored. */
  async function stored(request: HttpRequest, body: User): Promise<User> {
    const { loginUsers: people = [], idProperty } = known()
    const [, first, id = '', nested] = request.path.split('/')
    const isOne = id !== '' && comparablePath(`/${first}`) === collection && !nested
    const person = isOne ? new CollectionIndex(people, idProperty).find(decodePath(id)) : undefined
    const isOwn = authentication.contexts.of(request).showOwn !== undefined
    if (person !== undefined && (isOwn || isHash(fields.passwordOf(person))))
      refuseNameOfAnother(body, { person, people: indexOf(people), fields })
    const name = fields.passwordFieldOf(body)
    const password = fieldsOf(body).find((field) => field.name === name)
    if (password === undefined) {
      const own =
        request.method === 'PUT' && person !== undefined ? fields.passwordFieldOf(person) : undefined
      return own === undefined ? body : { ...body, [own]: person?.[own] }
    }
    const notes = notesOf(request)
    notes.passwords = [...(notes.passwords ?? []), password.text]
    const isHashed = person === undefined ? haveHashes(people, fields) : isHash(fields.passwordOf(person))
    if (!isHashed || isHash(password.text)) return body
    const hash = await hashPassword(password.text)
    const changed = { ...withoutRepeated(body, password, fields), [password.name]: hash }
    rememberHashed(body === request.body ? request : changed, { [password.name]: password.text })
    return changed
  }

  /** The same of each record in a list, one after the other: a hash takes 0.1 s. */
  async function storedList(request: HttpRequest, records: readonly unknown[]): Promise<unknown[]> {
    const all: unknown[] = []
    for (const record of records) all.push(isRecord(record) ? await stored(request, record) : record)
    return all
  }

  /** Whether a path is that of people, of one of them, or of those of another record. */
  const isPeople = (path: string): boolean => {
    const [, first, , nested, ...deeper] = comparablePath(path).split('/')
    return deeper.length === 0 && (nested === undefined ? `/${first}` : `/${nested}`) === collection
  }
  return function storedPasswordMiddleware(request, _response, next) {
    const { method, path, body } = request
    const isChange = method === 'POST' || method === 'PUT' || method === 'PATCH'
    if (!isChange || !isObject(body) || !isPeople(path)) return next()
    const storing = isRecord(body) ? stored(request, body) : storedList(request, [body].flat())
    storing.then((changed) => {
      if (changed !== body) request.body = changed
      next()
    }, next)
  }
}
