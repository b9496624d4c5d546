import { fieldsOf, type User } from '../../auth/person-fields'
import { subjectOf } from '../../auth/user-of-token'
import { labelOf } from '../../labels'
import type { ProviderAccounts } from './provider'

const PROFILE =
  'name given_name family_name middle_name nickname preferred_username picture website gender birthdate zoneinfo locale'

/** The claims of each scope (OpenID Connect Core 1.0 section 5.4). */
const SCOPES = new Map([
  ['profile', PROFILE.split(' ')],
  ['email', ['email', 'email_verified']],
  ['phone', ['phone_number']],
])

/** Labels of fields that say the same as a claim, where none has its name. */
const OTHER_LABELS = new Map([
  ['name', ['fullname', 'displayname']],
  ['given_name', ['firstname']],
  ['family_name', ['lastname']],
  ['preferred_username', ['username', 'login', 'email']],
  ['picture', ['avatar', 'image']],
  ['phone_number', ['phone', 'mobile']],
])

const STANDARD_CLAIMS = new Set([...SCOPES.values()].flat())

/** Who somebody is to every client: the id, or else the first name, because an identity must have one. */
export function identityOf(user: User, { known }: ProviderAccounts): string {
  const { fields } = known()
  const [name] = fields.namesOf(user)
  return subjectOf(user, known()) || name?.text || ''
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

/** Whether an email or a telephone was verified, where the record says so. */
function verified(claim: string, user: User): boolean | undefined {
  const said = Object.entries(user).find(([name]) => labelOf(name) === labelOf(claim))
  return typeof said?.[1] === 'boolean' ? said[1] : undefined
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
export function claimsInScope(user: User, scope: string, accounts: ProviderAccounts): object {
  const said = new Map<string, unknown>(Object.entries(accounts.claimsFor(user)))
  // It is for this server alone.
  said.delete('names_hash')
  const fields = new Map(fieldsOf(user).map(({ label, text }) => [label, text]))
  const textFor = (claim: string) => {
    const label = [labelOf(claim), ...(OTHER_LABELS.get(claim) ?? [])].find((one) => fields.has(one))
    return said.get(claim) ?? (label && fields.get(label))
  }
  const asked = scope.split(' ').flatMap((word) => SCOPES.get(word) ?? [])
  const given = [textFor('given_name'), textFor('family_name')].filter((text) => text !== undefined)
  const valueFor = (claim: string) =>
    textFor(claim) ?? (claim === 'name' ? given.join(' ') || undefined : verified(claim, user))
  return {
    ...rolesOf(user),
    ...Object.fromEntries([...said].filter(([claim]) => !STANDARD_CLAIMS.has(claim))),
    ...Object.fromEntries(asked.map((claim) => [claim, valueFor(claim)])),
    sub: identityOf(user, accounts),
  }
}
