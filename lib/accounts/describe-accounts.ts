import { type AccountRoute, SPECIFIED_WHO_AM_I } from '../auth/account-route'
import { type Credentials, sampleLogin } from '../auth/credentials'
import { isWhoAmITaken } from '../auth/paths'
import type { PersonFields, User } from '../auth/person-fields'
import { tokenFields } from '../auth/token-fields'
import {
  ANY_OBJECT,
  bodyOf,
  type Describe,
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

export interface DescribedAccounts {
  /** With samples of their responses. */
  readonly routes: readonly AccountRoute[]
  /** The collection whose records log in. */
  readonly loginUsers: string
  /** Which of their fields say who they are. */
  readonly fields: PersonFields
  /** Logins that are not in the data. */
  readonly logins: readonly Credentials[]
  /** Whether the specified login gives a refresh token. Default: false. */
  readonly hasSpecifiedRefresh?: boolean
  /** Whether a record may log in. Default: each may. */
  readonly isLetIn?: (user: User) => boolean
  /** Whether nobody can sign up, because that is a change. */
  readonly readOnly: boolean
}

/** Describes the routes that log in and out, or say who is logged in. */
export function describeAccounts(accounts: DescribedAccounts): Describe {
  const { routes, loginUsers, fields, logins, readOnly, hasSpecifiedRefresh = false } = accounts
  const { isLetIn = () => true } = accounts
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
    const samplesOf = ({ response }: AccountRoute, withTokens: readonly (string | undefined)[] = ['text']) =>
      response &&
      schemaOf(
        // What a template leaves out is no field in JSON.
        people.flatMap((person) => withTokens.map((token) => JSON.parse(jsonText(response(token, person))))),
      )
    const tokens = (route: AccountRoute, withTokens?: readonly (string | undefined)[]): Operation => ({
      ...openOperation(route),
      success:
        samplesOf(route, withTokens) ??
        objectOf({ access_token: TEXT, ...(hasSpecifiedRefresh && { refresh_token: TEXT }) }),
      'x-token': tokenFields(route),
    })
    const operations: Record<AccountRoute['does'], (route: AccountRoute) => Operation> = {
      logIn: (route) => ({
        ...tokens(route),
        ...(route.response
          ? ownLogin(names, password, sampleLogin(data.users))
          : specifiedLogin(sampleLogin(data.users))),
      }),
      signUp: (route) => ({
        // Who signs up may have to be let in by somebody.
        ...tokens(route, isLetIn({}) ? ['text'] : ['text', undefined]),
        status: 201,
        requestBody: bodyOf(users?.input ?? ANY_OBJECT),
      }),
      refresh: (route) => ({
        ...tokens(route),
        description: 'In the body, unless it is in a cookie.',
        requestBody: bodyOf({ examples: [{ refresh_token: '' }] }),
      }),
      logOut: (route) => ({ ...openOperation(route), success: samplesOf(route) ?? ANY_OBJECT }),
      whoAmI: (route) => ({
        ...(route.response
          ? {
              ...openOperation(route),
              ...(route.method === 'GET' && {
                parameters: ['_embed', '_expand'].map((name) => reference('parameters', name)),
              }),
            }
          : { isFixed: true, errors: NOT_FOUND }),
        needsToken: true,
        success: samplesOf(route) ?? (users && logins.length > 0 ? { anyOf: [user, emailAlone] } : user),
      }),
      changeMe: (route) => ({
        ...openOperation(route),
        ...(route.method !== 'DELETE' && { requestBody: bodyOf(users?.input ?? ANY_OBJECT) }),
        needsToken: true,
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

/** An operation that needs no token. Where it is not as specified, the application chooses the form of a refusal. */
function openOperation({ response }: AccountRoute): Operation {
  const [status, schema] = response ? (['default', {}] as const) : ([401, UNAUTHORIZED] as const)
  return { isFixed: true, needsToken: false, errors: { [status]: responseOf('Why it is refused.', schema) } }
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
