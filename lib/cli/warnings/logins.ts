import { ALL, rulesOf } from '../../auth/allow-rules'
import { knownLogins } from '../../auth/credentials'
import { LOGIN_PATH } from '../../auth/paths'
import { fieldsOf, type PersonFields } from '../../auth/person-fields'
import { isLetIn } from '../../auth/user-of-token'
import { type Data, resourceNames } from '../../data/valid-data'
import { DEFAULTS } from '../../defaults'
import { isRecord } from '../../is-record'
import type { Settings } from '../flags/command-line'
import type { Started } from '../started'
import type { Warnings } from './sentences'

/** Who cannot log in. Where all is open, nobody needs to. */
export const whoCannotLogIn: Warnings = (started) => {
  const { source, allow, middlewares, loginUsers = DEFAULTS.loginUsers } = started.settings
  const peopleIn = peopleOutside(loginUsers, started.state, started.fields)
  return [
    allow !== ALL && canNobodyLogIn(started, peopleIn) && nobodyCan(started, peopleIn),
    isListMissing(started, peopleIn) &&
      `${source} has no list "${loginUsers}", where --login and --sign-up look for people: ${
        peopleIn === undefined
          ? `it needs "${loginUsers}": [].`
          : `put "login-users": "${peopleIn}" into json-server.json.`
      }`,
    hasLoginOfAnyShape(started.settings) && nobodyIsNamed(started),
    nobodyIsLetIn(started),
    allow !== ALL &&
      middlewares.some((file) => /(^|[\\/])json-server-auth([\\/]|$)/.test(file)) &&
      'json-server-auth gives no login here, because its routes need a token of this server: keep it with ' +
        '--allow all, or leave it out, and start with --login /login --sign-up /register.',
  ]
}

/** Where no user has a name, or a field that says who it is has another label. */
function nobodyIsNamed({ settings, state, fields }: Started): string | undefined {
  const { loginUsers = DEFAULTS.loginUsers, loginFields } = settings
  const records = [state[loginUsers]].flat().filter(isRecord)
  if (loginFields?.names !== undefined || records.some((user) => fields.namesOf(user).length > 0))
    return undefined
  const [user] = records
  const other =
    user &&
    fieldsOf(user).find(({ name, label }) => name !== settings.idProperty && !fields.isPassword(label))
  return (
    other &&
    `Nobody in "${loginUsers}" has a name to log in with, such as an "email", a "username" or a "name": name the field ` +
      `that is one by the key login-fields, such as {"names": ["${other.name}"]}.`
  )
}

/** The key may have a field that records do not have. */
function nobodyIsLetIn({ settings, state, loginConditions }: Started): string | false {
  const { loginUsers = DEFAULTS.loginUsers } = settings
  const records = [state[loginUsers]].flat().filter(isRecord)
  return (
    records.length > 0 &&
    !records.some((user) => isLetIn(user, loginConditions)) &&
    `Nobody in "${loginUsers}" may log in, because no record has what the key login-if asks for: check its fields.`
  )
}

/** Whether people of any shape can log in. */
function hasLoginOfAnyShape({ login, openid }: Settings): boolean {
  return login.length > 0 || openid === true
}

/** People may also sign up, be added by a POST that needs no token, or log in to a middleware. */
function canNobodyLogIn({ settings, state, allowed }: Started, peopleIn: string | undefined): boolean {
  const { logins, loginUsers = DEFAULTS.loginUsers, middlewares, readOnly, signUp } = settings
  const canSignUp = !readOnly && signUp.length > 0
  // Where they could be is said by a warning of its own.
  const hasOwn = hasLoginOfAnyShape(settings) && (hasRecords(state[loginUsers]) || peopleIn !== undefined)
  const mayByPost = rulesOf(allowed)
    .flatMap(({ lines }) => lines)
    .some(({ method, path }) => method === 'POST' && (middlewares.length > 0 || path === '/users'))
  return logins.length + knownLogins(state.users).length === 0 && !canSignUp && !hasOwn && !mayByPost
}

function nobodyCan({ settings: { source }, state }: Started, peopleIn: string | undefined): string {
  const start = `Nobody can log in: ${source} has no "users" with an "email" and a plain "password", both texts. Start with`
  if (hasRecords(state.users))
    return `${start} --user me:secret, or with --login ${LOGIN_PATH}, which takes usernames, numbers and hashes.`
  if (peopleIn === undefined) return `${start} --user me:secret.`
  return `${start} --user me:secret, or with --login ${LOGIN_PATH}, and "login-users": "${peopleIn}" in json-server.json.`
}

function isListMissing({ settings, state }: Started, peopleIn: string | undefined): boolean {
  const { loginUsers, readOnly, signUp } = settings
  const isAskedFor = hasLoginOfAnyShape(settings) && (loginUsers ?? peopleIn) !== undefined
  const canSignUp = !readOnly && signUp.length > 0
  return (canSignUp || isAskedFor) && !Array.isArray(state[loginUsers ?? DEFAULTS.loginUsers])
}

/** The collection of those who could log in, where it is not the one that is looked in. */
function peopleOutside(looked: string, state: Data, fields: PersonFields): string | undefined {
  const isPerson = (record: unknown) =>
    isRecord(record) && fields.namesOf(record).length > 0 && fields.passwordOf(record) !== ''
  return resourceNames(state).find((name) => {
    const records = state[name]
    return name !== looked && Array.isArray(records) && records.slice(0, 20).some(isPerson)
  })
}

function hasRecords(content: unknown): boolean {
  return Array.isArray(content) && content.length > 0
}
