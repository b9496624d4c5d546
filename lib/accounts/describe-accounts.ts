import { type AccountRoute, isOpen, isSpecified, SPECIFIED_WHO_AM_I } from '../auth/account-route'
import { type Credentials, sampleLogin } from '../auth/credentials'
import { isWhoAmITaken } from '../auth/paths'
import { isLetIn } from '../auth/user-of-token'
import {
  ANY_OBJECT,
  bodyOf,
  type Describe,
  listOf,
  NOT_FOUND,
  type Operation,
  objectOf,
  reference,
  responseOf,
  TEXT,
  UNAUTHORIZED,
} from '../http/openapi'
import { jsonText } from '../http/send-json'
import { labelOf } from '../labels'
import type { AccountSettings } from './account-settings'
import type { RefusalSettings } from './refusals'
import { type TokenResponse, tokenFields } from './token-fields'

/** What a document must know of the server beside its accounts. */
export interface DescribedServer {
  /** Logins that are not in the data. */
  readonly logins: readonly Credentials[]
  /** Whether nobody can sign up, because that is a change. */
  readonly readOnly: boolean
}

/** Describes the routes that log in and out, or say who is logged in. */
export function describeAccounts(settings: AccountSettings, { logins, readOnly }: DescribedServer): Describe {
  const { routes, loginUsers, fields, routesWithRefresh, loginConditions, signUpRefusal, loginRefusal } =
    settings
  return ({ data, resource, schemaOf }) => {
    const users = resource(loginUsers)
    const emailAlone = objectOf({ email: TEXT })
    const user = users?.record ?? emailAlone
    const namesOfUsers = users?.fields.filter((field) => fields.isName(labelOf(field))) ?? []
    const names = namesOfUsers.length > 0 ? namesOfUsers : ['email']
    const password = users?.fields.find((field) => fields.isPassword(labelOf(field))) ?? 'password'
    const known: readonly object[] = [...(users?.records ?? []), ...logins]
    // The empty one stands for everybody where nobody can log in yet.
    const people = known.length > 0 ? known : [{}]
    const samplesOf = (route: AccountRoute, withTokens: readonly (string | undefined)[] = ['text']) => {
      const sample = sampleResponse(settings, route)
      return (
        sample &&
        schemaOf(
          // What a template leaves out is no field in JSON.
          people.flatMap((person) => withTokens.map((token) => JSON.parse(jsonText(sample(token, person))))),
        )
      )
    }
    const tokens = (route: AccountRoute, withTokens?: readonly (string | undefined)[]): Operation => ({
      ...accountOperation(route),
      success:
        samplesOf(route, withTokens) ??
        objectOf({ access_token: TEXT, ...(routesWithRefresh.has(route) && { refresh_token: TEXT }) }),
      'x-token': tokenFields(sampleResponse(settings, route)),
    })
    const operations: Record<AccountRoute['does'], (route: AccountRoute) => Operation> = {
      logIn: (route) => ({
        ...tokens(route),
        ...(isSpecified(route)
          ? specifiedLogin(sampleLogin(data.users))
          : ownLogin(names, password, sampleLogin(data.users))),
      }),
      signUp: (route) => ({
        // Who signs up may have to be let in by somebody.
        ...tokens(route, isLetIn({}, loginConditions) ? ['text'] : ['text', undefined]),
        status: 201,
        requestBody: bodyOf(users?.input ?? ANY_OBJECT),
        ...personErrors(settings, signUpRefusal),
      }),
      refresh: (route) => ({
        ...tokens(route),
        description: 'In the body, unless it is in a cookie.',
        requestBody: bodyOf({ examples: [{ refresh_token: '' }] }),
      }),
      logOut: (route) => ({ ...accountOperation(route), success: samplesOf(route) ?? ANY_OBJECT }),
      whoAmI: (route) => ({
        ...accountOperation(route),
        ...(isSpecified(route)
          ? { errors: NOT_FOUND }
          : route.method === 'GET' && {
              parameters: ['_embed', '_expand'].map((name) => reference('parameters', name)),
            }),
        success: samplesOf(route) ?? (users && logins.length > 0 ? { anyOf: [user, emailAlone] } : user),
      }),
      changeMe: (route) => ({
        ...accountOperation(route),
        ...(route.method !== 'DELETE' && {
          requestBody: bodyOf(users?.input ?? ANY_OBJECT),
          ...personErrors(settings, loginRefusal),
        }),
        success: route.method === 'DELETE' ? user : (samplesOf(route) ?? user),
      }),
    }
    // A resource `auth` has the specified path of who am I.
    const isShown = (route: AccountRoute) =>
      route.does === 'signUp' || route.does === 'changeMe'
        ? !readOnly
        : route !== SPECIFIED_WHO_AM_I || !isWhoAmITaken(data)
    return [
      'Login',
      routes
        .filter(isShown)
        .map((route) => [`${route.method} ${route.path}`, route.does, operations[route.does](route)]),
    ]
  }
}

/**
 * A sample of the response of a route, where the application chooses it: without a token to who has signed up, and may not
 * log in.
 *
 * @returns undefined where it is as specified
 */
function sampleResponse(settings: AccountSettings, route: AccountRoute): TokenResponse | undefined {
  if (isSpecified(route)) return undefined
  const { loginResponse, meResponse, logoutResponse, routesWithRefresh } = settings
  const refresh = routesWithRefresh.has(route) ? 'text' : undefined
  const values = {
    type: 'Bearer',
    expires: 3600,
    expiresAt: new Date(0).toJSON(),
    message: 'text',
    refresh,
  }
  const withTokens: TokenResponse = (token, user = {}) =>
    loginResponse(token === undefined ? { message: values.message, user } : { ...values, token, user })
  const ofUser: TokenResponse = (token, user = {}) => meResponse({ user, token })
  const responses: Record<AccountRoute['does'], TokenResponse> = {
    logIn: withTokens,
    signUp: withTokens,
    refresh: withTokens,
    whoAmI: ofUser,
    changeMe: ofUser,
    logOut: () => logoutResponse(values),
  }
  return responses[route.does]
}

/** What all operations have. Where one is not as specified, the application chooses the form of a refusal. */
function accountOperation(route: AccountRoute): Operation {
  const [status, schema] = isSpecified(route) ? ([401, UNAUTHORIZED] as const) : (['default', {}] as const)
  const errors = { [status]: responseOf('Why it is refused.', schema) }
  return { isFixed: true, needsToken: !isOpen(route), errors }
}

/** How it is refused that somebody is stored, where no application chooses that. Not each error says something of fields. */
function personErrors(
  { personRefusal }: AccountSettings,
  { hasOwnBody }: RefusalSettings,
): Pick<Operation, 'errors'> {
  if (hasOwnBody || personRefusal.hasOwnBody) return {}
  const errors = { type: 'object', additionalProperties: listOf(TEXT) }
  const schema = { ...objectOf({ message: TEXT, error: TEXT, errors }), required: ['error'] }
  return { errors: { default: responseOf('Why it is refused, and what is wrong with each field.', schema) } }
}

/** What a field holds in the place of what is somebody's own. */
const EXAMPLE: Credentials = { email: 'user@example.com', password: 'password' }

// A second media type would leave generated clients without the header that names it.
const SAID =
  'On this page, Execute logs in. Type your own login if another one is shown. A form is taken as well.'

/** The body of the specified login. Everybody can read the document: it shows no login but that of the sample data. */
function specifiedLogin({ email, password } = EXAMPLE): Operation {
  return {
    description: SAID,
    requestBody: bodyOf(
      objectOf({
        email: { ...TEXT, examples: [email] },
        password: { ...TEXT, format: 'password', examples: [password] },
      }),
    ),
  }
}

/**
 * The body of a login of the application: one of the names is enough.
 *
 * @param names of fields that users have
 */
function ownLogin(names: readonly string[], password: string, sample = EXAMPLE): Operation {
  const [first] = names
  const properties = Object.fromEntries(
    names.map((name) => [
      name,
      { ...TEXT, ...(name === (names.includes('email') ? 'email' : first) && { examples: [sample.email] }) },
    ]),
  )
  return {
    description: `${SAID} One of the names is enough, and it may be sent under another label, such as \`username\`.`,
    requestBody: bodyOf({
      type: 'object',
      properties: { ...properties, [password]: { ...TEXT, format: 'password', examples: [sample.password] } },
      required: [password],
    }),
  }
}
