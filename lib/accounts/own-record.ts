import { isDeepStrictEqual } from 'node:util'
import { possibleTokens } from '../auth/access-token'
import { type AccountRoute, isSpecified } from '../auth/account-route'
import type { PersonFields, User } from '../auth/person-fields'
import { isOfLoginUsers, type KnownUsers, subjectOf, userOfToken } from '../auth/user-of-token'
import { HttpError, UnauthorizedError } from '../errors'
import { MULTIPART } from '../http/body-parsers'
import { jsonErrorBody, setErrorBody } from '../http/error-body'
import type { Handler, HttpRequest } from '../http/handler'
import { notesOf } from '../http/notes'
import { isRead } from '../http/request'
import { isRecord } from '../is-record'
import { holdsPassword, labelOf } from '../labels'
import { LOGIN_RESPONSE } from './account-settings'
import type { DataAccounts } from './data-accounts'
import { accountStep } from './find-route'
import { isRepeated, passwordIn } from './new-user'

/** The field in which applications send the user that the login gave them. */
const WRAPPER = 'user'

/**
 * The steps of `--me "PATCH /me"`, `--me /me` with `?_embed=posts`, and the like, each of which passes on any other
 * request: one after the token check, which makes it the request for the person's own record, so that every step after it
 * sees that, and one after each parser of bodies.
 */
export function ownRecordSteps({ settings, findRoute, authentication, sessions, known }: DataAccounts) {
  const ownRecord = accountStep(findRoute, (route, request, _response, next) => {
    if (!isForRecord(route, request)) return next()
    setErrorBody(request, jsonErrorBody(settings.loginRefusal.body))
    const { text: token, claims, refusal } = authentication.tokenOf(request, sessions.ended)
    if (claims === undefined) return next(new UnauthorizedError(refusal))
    const people = known()
    const user = userOfToken(claims, people)
    const id = user && subjectOf(user, people)
    // A login that is no record, or has no id, is only said.
    if (!id && route.does === 'whoAmI') return next()
    if (user === undefined || !id)
      return next(new HttpError({ status: 404, message: whyNoRecord(user, people) }))
    const collection = isOfLoginUsers(claims, people) ? settings.loginUsers : 'users'
    const query = request.url.replace(/^[^?]*/, '')
    request.url = `/${encodeURIComponent(collection)}/${encodeURIComponent(id)}${query}`
    if (request.method === 'PUT') {
      // Applications send what has changed, or a whole form: either is what a PATCH does.
      notesOf(request).sentMethod = request.method
      request.method = 'PATCH'
    }
    if (request.method !== 'DELETE')
      authentication.contexts.of(request).showOwn = (record) => settings.meResponse({ user: record, token })
    next()
  })

  const takeFields = (request: HttpRequest): void => {
    const { body } = request
    // A body that nothing has read yet is an empty one: another in its place would count as read.
    const hasFields = isRecord(body) && Object.keys(body).length > 0
    if (!hasFields || authentication.contexts.of(request).showOwn === undefined) return
    const people = known()
    const { claims } = authentication.tokenOf(request, sessions.ended)
    const before = (claims && userOfToken(claims, people)) ?? {}
    const changes = Object.hasOwn(before, WRAPPER) ? body : changesIn(body, before, people.idProperty)
    request.body = withoutEmptyPasswords(withoutSaidTokens(changes, before), settings.fields)
  }

  const ownBody: Handler = function ownRecordBodyMiddleware(request, _response, next) {
    takeFields(request)
    next()
  }

  const ownForm: Handler = function ownRecordFormMiddleware(request, _response, next) {
    if (request.is(MULTIPART)) takeFields(request)
    next()
  }

  return settings.routes.some((route) => !isSpecified(route) && ['changeMe', 'whoAmI'].includes(route.does))
    ? { ownRecord, ownBody, ownForm }
    : {}
}

/** What a login says beside the user: an application may send all of it back. */
const SAID_BESIDE = new Set(Object.keys(LOGIN_RESPONSE))

/**
 * What a body says of its person. An application may send the user that a login or "who am I" gave it in an object, alone or
 * beside its fields. One with an id is what it was given: fields beside it are a form, which is what its person has typed,
 * unless they have the id, too. Of a whole response, what is another than before is the change.
 */
function changesIn(body: User, before: User, idProperty: string): User {
  const { [WRAPPER]: inner, ...outer } = body
  if (!isRecord(inner)) return body
  const isOwn = (name: string) => Object.hasOwn(before, name) || !SAID_BESIDE.has(name)
  const beside = Object.fromEntries(Object.entries(outer).filter(([name]) => isOwn(name)))
  const isGiven = Object.hasOwn(inner, idProperty)
  if (isGiven && Object.keys(beside).length > 0 && !Object.hasOwn(beside, idProperty)) return beside
  const changes = Object.entries(beside).filter(
    ([name, value]) => !Object.hasOwn(inner, name) || !isDeepStrictEqual(value, before[name]),
  )
  return { ...inner, ...Object.fromEntries(changes) }
}

/** Whoever has a token can read records: one that a response has said does not get into them, unless the record has such a field. */
function withoutSaidTokens(body: User, before: User): User {
  const isToken = (value: unknown) => possibleTokens([value]).length > 0
  return Object.fromEntries(
    Object.entries(body).filter(([name, value]) => Object.hasOwn(before, name) || !isToken(value)),
  )
}

/** Whether a request is led to the record: a change of it, or a read with the records that refer to it. */
function isForRecord(route: AccountRoute, request: HttpRequest): boolean {
  if (route.does === 'changeMe') return true
  const asksForOthers = '_embed' in request.query || '_expand' in request.query
  return route.does === 'whoAmI' && !isSpecified(route) && isRead(request) && asksForOthers
}

/** Why nothing of whoever sends a request can be changed. */
function whyNoRecord(user: User | undefined, { logins, idProperty }: KnownUsers): string {
  if (user === undefined) return 'There is no record of the user of this token: log in again.'
  return logins.includes(user)
    ? 'A login of --user has no record that could be changed: log in as a user of the data.'
    : `The record of this user has no "${idProperty}", by which it would be found: add one to the data.`
}

/** A form has empty fields for a password that its person has not typed: the one that there is stays. */
function withoutEmptyPasswords(body: User, fields: PersonFields): User {
  const isPassword = (name: string) => fields.isPassword(labelOf(name)) || holdsPassword(name)
  const isEmpty = (value: unknown) => value === '' || value === null
  // Beside a new one, it is the same one that was not typed again.
  const isTypedAgain = (name: string, value: unknown) =>
    isRepeated(name, value) && passwordIn(body, fields) !== undefined
  return Object.fromEntries(
    Object.entries(body).filter(
      ([name, value]) => !isEmpty(value) || !isPassword(name) || isTypedAgain(name, value),
    ),
  )
}
