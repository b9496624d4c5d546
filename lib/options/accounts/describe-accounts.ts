import { isWhoAmITaken } from '../../auth/access-policy'
import { type AccountRoute, SPECIFIED_WHO_AM_I } from '../../auth/account-route'
import { type Credentials, sampleLogin } from '../../auth/credentials'
import type { PersonFields } from '../../auth/person-fields'
import { tokenFields } from '../../auth/token-fields'
import {
  ANY_OBJECT,
  bodyOf,
  type Describe,
  NOT_FOUND,
  type Operation,
  objectOf,
  responseOf,
  TEXT,
  UNAUTHORIZED,
} from '../../http/openapi'
import { labelOf } from '../../labels'

export interface DescribedAccounts {
  /** With samples of their responses. */
  readonly routes: readonly AccountRoute[]
  /** The collection whose records log in. */
  readonly loginUsers: string
  /** Which of their fields say who they are. */
  readonly fields: PersonFields
  /** Logins that are not in the data. */
  readonly logins: readonly Credentials[]
  /** Whether nobody can sign up, because that is a change. */
  readonly readOnly: boolean
}

/** Describes the routes that log in and out, or say who is logged in. */
export function describeAccounts(accounts: DescribedAccounts): Describe {
  const { routes, loginUsers, fields, logins, readOnly } = accounts
  return ({ data, resource, schemaOf }) => {
    const users = resource(loginUsers)
    const emailAlone = objectOf({ email: TEXT })
    const user = users?.record ?? emailAlone
    const name = users?.fields.find((field) => fields.isName(labelOf(field))) ?? 'email'
    const known: readonly object[] = [...(users?.records ?? []), ...logins]
    // The empty one stands for everybody where nobody can log in yet.
    const people = known.length > 0 ? known : [{}]
    const samplesOf = ({ response }: AccountRoute) =>
      response && schemaOf(people.map((person) => response('text', person)))
    const tokens = (route: AccountRoute): Operation => ({
      ...openOperation(route),
      success: samplesOf(route) ?? objectOf({ access_token: TEXT }),
      'x-token': tokenFields(route),
    })
    const operations: Record<AccountRoute['does'], (route: AccountRoute) => Operation> = {
      logIn: (route) => ({
        ...tokens(route),
        description: 'On this page, Execute logs in. Type your own login if another one is shown.',
        requestBody: loginBody(route.response ? name : 'email', exampleLogin(data.users, logins)),
      }),
      signUp: (route) => ({
        ...tokens(route),
        status: 201,
        requestBody: bodyOf(users?.input ?? ANY_OBJECT),
      }),
      refresh: (route) => ({
        ...tokens(route),
        description: 'In the body, unless it is in a cookie.',
        requestBody: bodyOf({ examples: [{ refresh_token: '' }] }),
      }),
      logOut: (route) => ({ ...openOperation(route), success: ANY_OBJECT }),
      whoAmI: (route) => ({
        ...(route.response ? openOperation(route) : { errors: NOT_FOUND }),
        needsToken: true,
        success: samplesOf(route) ?? (users && logins.length > 0 ? { anyOf: [user, emailAlone] } : user),
      }),
    }
    // A sign-up is a change, and a resource `auth` has the specified path of who am I.
    const isShown = (route: AccountRoute) =>
      route.does === 'signUp' ? !readOnly : route !== SPECIFIED_WHO_AM_I || !isWhoAmITaken(data)
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
  return { needsToken: false, errors: { [status]: responseOf('Why it is refused.', schema) } }
}

/** Everybody can read the document: it shows no password but the sample's, and no email of a user in the data. */
function exampleLogin(users: unknown, logins: readonly Credentials[]): Credentials {
  const [{ email } = { email: 'user@example.com' }] = logins
  return sampleLogin(users) ?? { email, password: 'password' }
}

/** @param name of the field that says who it is */
function loginBody(name: string, { email, password }: Credentials): object {
  const schema = objectOf({
    [name]: { ...TEXT, examples: [email] },
    password: { ...TEXT, format: 'password', examples: [password] },
  })
  return {
    required: true,
    content: { 'application/json': { schema }, 'application/x-www-form-urlencoded': { schema } },
  }
}
