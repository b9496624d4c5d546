import { fieldsOf, type User } from '../../auth/person-fields'
import { subjectOf } from '../../auth/user-of-token'
import { labelOf } from '../../labels'
import type { Accounts } from './provider'

/** The claims of each scope (OpenID Connect Core 1.0 section 5.4), with labels of fields that say the same. */
const SCOPES: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  profile: {
    name: ['name', 'fullname', 'displayname'],
    given_name: ['givenname', 'firstname'],
    family_name: ['familyname', 'lastname', 'surname'],
    middle_name: ['middlename'],
    nickname: ['nickname'],
    preferred_username: ['preferredusername', 'username', 'login', 'email'],
    picture: ['picture', 'avatar', 'image'],
    website: ['website'],
    gender: ['gender'],
    birthdate: ['birthdate', 'birthday'],
    zoneinfo: ['zoneinfo', 'timezone'],
    locale: ['locale', 'language'],
  },
  email: { email: ['email'], email_verified: [] },
  phone: { phone_number: ['phonenumber', 'phone', 'mobile'] },
}

const STANDARD_CLAIMS = new Set(Object.values(SCOPES).flatMap((claims) => Object.keys(claims)))

/** Who somebody is to every client: the id, or else the first name, because an identity must have one. */
export function identityOf(user: User, { known }: Accounts): string {
  const { fields } = known()
  const [name] = fields.namesOf(user)
  return subjectOf(user, known()) ?? name?.text ?? ''
}

/** The roles of a user, also where the client of Keycloak reads them. A claim of the options is stronger. */
function rolesOf(user: User): object {
  const textsOf = (...values: unknown[]) => values.flat().filter((value) => typeof value === 'string')
  const [roles, groups] = [textsOf(user.roles, user.role), textsOf(user.groups)]
  if (roles.length + groups.length === 0) return {}
  return {
    realm_access: { roles: roles.length > 0 ? roles : groups },
    groups: groups.length > 0 ? groups : roles,
  }
}

/** The scopes that a client is given: those that it asks for, and at an issuer of Keycloak's form those that this adds. */
export function grantedScopes(asked: string, issuer: string): string {
  const added = /\/realms\/[^/]+$/.test(issuer) ? ['profile', 'email'] : []
  return [...new Set([...asked.split(' '), ...added])].join(' ').trim()
}

/**
 * What an identity token and the user info say of somebody: what every token says, of which the standard claims only as far
 * as their scopes are asked for.
 *
 * @param scope words with spaces between them
 */
export function claimsInScope(user: User, scope: string, accounts: Accounts): object {
  const said = Object.entries(accounts.claimsOf(user))
  const fields = fieldsOf(user)
  const standard = scope.split(' ').flatMap((word) =>
    Object.entries(Object.hasOwn(SCOPES, word) ? (SCOPES[word] ?? {}) : {}).flatMap(([claim, labels]) => {
      const [, given] = said.find(([name]) => name === claim) ?? []
      const [field] = labels.flatMap((label) => fields.find((one) => labelOf(one.name) === label) ?? [])
      const value = given ?? field?.text
      return value === undefined ? [] : [[claim, value] as const]
    }),
  )
  return {
    ...rolesOf(user),
    ...Object.fromEntries(said.filter(([name]) => !STANDARD_CLAIMS.has(name))),
    ...Object.fromEntries(standard),
    sub: identityOf(user, accounts),
  }
}
