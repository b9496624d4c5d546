import { ANY_OBJECT, jsonContent, jsonResponse, type Operation, type Paths } from '../../http/operations'
import type { AccountFunction, AccountRoute } from './account-routes'
import type { AccountSettings } from './account-settings'
import { fillTemplate } from './template'

/** What each function does, at the start and in the document. */
const NOTES: Readonly<Record<AccountFunction, string>> = {
  login: 'log in',
  signUp: 'sign up, and log in',
  me: 'whose token it is',
  refresh: 'new tokens for a refresh token',
  logout: 'end the session',
}

/** What stands for values in an example: the document needs no token, so it shows no user. */
const SAMPLE = {
  token: '<token>',
  refresh: '<refresh token>',
  user: { id: 1, email: 'user@example.com' },
  expires: 3600,
  message: 'A sentence.',
  status: 401,
}

/** What a route does, in some words. */
export function noteOf(route: AccountRoute): string {
  return NOTES[route.function]
}

/** A route, for the document. Applications choose the fields of the body, so it names none. */
export function describeRoute(route: AccountRoute, settings: AccountSettings): Paths {
  const { function: name, method, path } = route
  const template = name === 'me' ? settings.meResponse : settings.loginResponse
  const example = name === 'logout' ? {} : fillTemplate(template, SAMPLE)
  const operation: Operation = {
    operationId: name + path.replace(/\W+(.?)/g, (_, first: string) => first.toUpperCase()),
    tags: ['Login'],
    security: name === 'me' ? [{ bearerAuth: [] }] : [],
    summary: NOTES[name].replace(/^./, (first) => first.toUpperCase()),
    ...(name !== 'me' && method !== 'GET' && { requestBody: { content: jsonContent(ANY_OBJECT) } }),
    responses: {
      [name === 'signUp' ? 201 : 200]: jsonResponse('As the application reads it.', ANYTHING, example),
      '4XX': {
        ...jsonResponse('Why it is refused.', ANYTHING, fillTemplate(settings.refusalBody, SAMPLE)),
        headers: { 'WWW-Authenticate': { description: 'With 401: `Bearer`.', schema: { type: 'string' } } },
      },
    },
  }
  return { [path]: { [method.toLowerCase()]: operation } }
}

/** A template can make any JSON. */
const ANYTHING = {}
