import {
  ANY_OBJECT,
  type DocumentContext,
  jsonContent,
  jsonResponse,
  type Operation,
  type Paths,
  sharedResponses,
} from '../../http/operations'
import type { AccountFunction, AccountRoute } from './account-routes'

/** What each function does, at the start and in the document. */
const NOTES: Readonly<Record<AccountFunction, string>> = {
  login: 'log in',
  signUp: 'sign up, and log in',
  me: 'whose token it is',
  refresh: 'new tokens for a refresh token',
  logout: 'end the session',
}

export function noteOf(route: AccountRoute): string {
  return NOTES[route.function]
}

/** A route, for the document: applications choose the fields, so it names none. */
export function describeRoute(
  { function: name, method, path }: AccountRoute,
  _context: DocumentContext,
): Paths {
  const takesBody = method !== 'GET' && name !== 'me'
  const operation: Operation = {
    operationId: `${name}At${path.replace(/\W+/g, '_')}`,
    tags: ['Login'],
    security: name === 'me' ? [{ bearerAuth: [] }] : [],
    summary: NOTES[name].replace(/^./, (first) => first.toUpperCase()),
    ...(takesBody && { requestBody: { content: jsonContent(ANY_OBJECT) } }),
    responses: {
      [name === 'signUp' ? 201 : 200]: jsonResponse('As the application reads it.', ANY_OBJECT),
      ...sharedResponses('4XX'),
    },
  }
  return { [path]: { [method.toLowerCase()]: operation } }
}
