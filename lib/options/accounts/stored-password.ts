import { fieldOf, isHash, type User } from '../../auth/person-fields'
import type { KnownUsers } from '../../auth/user-of-token'
import type { Handler, HttpRequest } from '../../http/handler'
import { comparablePath, decodePath } from '../../http/request'
import { isRecord } from '../../is-record'
import { CollectionIndex } from '../../json-server/collection-index'
import type { AccountSettings } from './account-settings'
import { haveHashes } from './new-user'
import { hashPassword } from './password-hashes'

/**
 * Comes before the resources, for changes of those who log in: where a password is stored as a hash, a new one is stored as
 * one, too, and a PUT without a password keeps the one that there is, because applications send back the user that the
 * login gave them. Any other request is passed on as it is.
 */
export function storedPassword({ fields, loginUsers }: AccountSettings, known: () => KnownUsers): Handler {
  /** The body as it is to be stored. */
  async function stored({ method, path }: HttpRequest, body: User): Promise<User> {
    const { loginUsers: people = [], idProperty } = known()
    const [, , id = ''] = path.split('/')
    const person = id === '' ? undefined : new CollectionIndex(people, idProperty).find(decodePath(id))
    const name = fields.passwordFieldOf(body)
    const text = name === undefined ? '' : fieldOf(body, name)
    if (name === undefined || text === '') {
      const own = method === 'PUT' && person !== undefined ? fields.passwordFieldOf(person) : undefined
      return own === undefined ? body : { ...body, [own]: person?.[own] }
    }
    const isHashed = person === undefined ? haveHashes(people, fields) : isHash(fields.passwordOf(person))
    return isHashed && !isHash(text) ? { ...body, [name]: await hashPassword(text) } : body
  }

  const collection = comparablePath(`/${loginUsers}`)
  return function storedPasswordMiddleware(request, _response, next) {
    const { method, path, body } = request
    const isChange = method === 'POST' || method === 'PUT' || method === 'PATCH'
    const isPeople = isChange && `${comparablePath(path)}/`.startsWith(`${collection}/`)
    if (!isPeople || !isRecord(body) || path.split('/').length > 4) return next()
    stored(request, body).then((changed) => {
      if (changed !== body) request.body = changed
      next()
    }, next)
  }
}
