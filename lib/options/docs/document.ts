import { isWhoAmITaken, PAGE_PATH, publicNames, USER_LOOKUP_PATH } from '../../auth/access-policy'
import type { AccountRoute } from '../../auth/account-route'
import { ALL, type Allowed, isAllowed } from '../../auth/allow-rules'
import { type Credentials, sampleLogin } from '../../auth/credentials'
import type { PersonFields } from '../../auth/person-fields'
import { tokenFields } from '../../auth/token-fields'
import type { Data } from '../../data/valid-data'
import { packageVersion } from '../../files/package'
import { labelOf } from '../../labels'
import { inferSchema, type Schema } from './infer-schema'
import { describeResources, type Resource, type ResourceOptions, reference, uniqueName } from './resources'

/** What the document depends on beside the data. */
export interface DocumentOptions extends ResourceOptions {
  /** The title of the document and its page. */
  readonly title: string
  /** Whether the public list shows changes. */
  readonly live: boolean
  /** What needs no token beside the routes that are open. */
  readonly allowed: Allowed
  readonly readOnly: boolean
  readonly sandboxes: boolean
  /** The routes of accounts, such as the login. */
  readonly accounts: readonly AccountRoute[]
  /** The collection whose records log in. */
  readonly loginUsers: string
  /** Which of their fields say who they are. */
  readonly personFields: PersonFields
  /** Logins that are not in the data. */
  readonly logins: readonly Credentials[]
  /** Makes the body of the token check's 401 where the application chooses it. */
  readonly refusalBody: ((message: string) => unknown) | undefined
}

/** An operation: its method and path, what generated clients call it, and the rest. */
type Row = readonly [line: string, operationId: string, details: Details]
/** Operations that are shown together. */
type Group = readonly [tag: string, rows: readonly Row[]]

interface Details {
  /** Whether it needs a token. Default: as `--allow` says. */
  readonly needsToken?: boolean
  readonly description?: string
  readonly parameters?: readonly object[]
  readonly requestBody?: object
  /** The schema of its response. Default: it has no body. */
  readonly success?: Schema
  /** The status of that response. Default: 200, or 204 without a body. */
  readonly status?: number
  /** The responses that only some operations have. */
  readonly errors?: Readonly<Record<string, object>>
  /** The fields of the response that lead to a token, which the page then uses: page.mjs. */
  readonly 'x-token'?: readonly string[] | undefined
}

const TEXT = { type: 'string' }
const COUNT = { type: 'integer', minimum: 0 }
const ANY_OBJECT = { type: 'object', additionalProperties: true }
const EMPTY = { type: 'object', maxProperties: 0 }
/** A refusal as it is specified. */
const UNAUTHORIZED = { ...TEXT, enum: ['Unauthorized'] }

type Parameter = readonly [name: string, schema: Schema, description: string, example?: object]

/** What a list can be asked for: https://github.com/typicode/json-server/tree/v0.17.4#routes. */
const QUERY: readonly Parameter[] = [
  ['q', TEXT, 'Only records with this text in any field.'],
  ['_sort', TEXT, 'The field to sort by, or several, separated by commas.'],
  ['_order', TEXT, '`asc` or `desc`; with several fields, one for each.'],
  ['_page', COUNT, 'From 1. The header Link has the others.'],
  ['_limit', COUNT, 'The length of a slice or a page. The header X-Total-Count counts all.'],
  ['_start', COUNT, 'The first record of a slice, from 0.'],
  ['_end', COUNT, 'The record that the slice ends before.'],
  [
    'filters',
    ANY_OBJECT,
    'Fields and their values, as JSON: `{"name":"Mia"}`. A field with `_ne` at the end of its name must ' +
      'not be this, with `_gte` it must be this or more, with `_gt` more, with `_lte` this or less, with `_lt` less, and with `_like` it must ' +
      'match this regular expression. With `_has` it must be a list that has this, and with `_is` be `null` or ' +
      '`set`. In an address, each is a query parameter: `?name=Mia`.',
    {},
  ],
  [
    '_embed',
    TEXT,
    'Adds the records of this collection that refer to these by a field such as `postId`. It needs a token, unless ' +
      'everything is open.',
  ],
  [
    '_expand',
    TEXT,
    'Adds what these refer to: `post` by their `postId`, `tags` by their `tagIds`. It needs a token, too.',
  ],
]
const LIST_QUERY = QUERY.map(([name]) => reference('parameters', name))
/** The last two: a single record can be asked for them as well. */
const RELATIONS = LIST_QUERY.slice(-2)

const NOT_FOUND = { 404: reference('responses', 'NotFound') }

/** The OpenAPI 3.1 document of a server with this data. */
export function makeDocument(data: Data, options: DocumentOptions) {
  const { title, readOnly, sandboxes, publicCollection, refusalBody } = options
  const resources = describeResources(data, options)
  const isShown = ([line]: Row) => line !== `GET ${PAGE_PATH}` && (!readOnly || line.startsWith('GET'))
  const groups: readonly Group[] = [
    ['Login', accountRows(data, resources, options)],
    [String(publicCollection), publicRows(resources, options)],
    ['User lookup', [LOOKUP]],
    ['Server', [['GET /db', 'dumpDatabase', { success: ANY_OBJECT }]]],
    ['Sandboxes', sandboxes ? SANDBOX_ROWS : []],
    ...resources.map((resource): Group => [resource.name, resourceRows(resource, resources).filter(isShown)]),
  ]
  const services = groups.filter(([, rows]) => rows.length > 0).map(([tag]) => tag)
  const tags = new Set(['Login', ...resources.map(({ name }) => name), ...services])
  return {
    openapi: '3.1.0',
    info: {
      title,
      version: packageVersion(),
      description:
        'Made from a sample of the data as it was loaded: records can have other fields than those shown, and the ' +
        'server itself requires none of them.',
    },
    servers: [{ url: '/' }],
    tags: [...tags].map((name) => ({ name })),
    paths: pathsOf(groups, options),
    components: {
      schemas: Object.fromEntries(resources.flatMap(({ schemas }) => Object.entries(schemas))),
      parameters: Object.fromEntries(
        QUERY.map(([name, schema, description, example]) => [
          name,
          { name, in: 'query', schema, description, example },
        ]),
      ),
      responses: {
        Unauthorized: json(
          'The token is missing, invalid or expired, or the server was restarted without JWT_SECRET: log in again.',
          refusalBody ? inferSchema([refusalBody('text')]) : UNAUTHORIZED,
        ),
        NotFound: json('There is no such record.', EMPTY),
        Error: json('What is wrong, in a sentence.', object({ error: TEXT })),
      },
      securitySchemes: {
        bearerAuth: { type: 'http', scheme: 'bearer', description: 'A login fills it in.' },
        ...(sandboxes && { sandbox: SANDBOX }),
      },
    },
  }
}

/** The operations by path and method. The first of a path wins, as the steps of the server do. */
function pathsOf(groups: readonly Group[], options: DocumentOptions) {
  const ids = new Set<string>()
  const paths: Record<string, Record<string, object>> = {}
  for (const [tag, rows] of groups)
    for (const [line, name, details] of rows) {
      const [method = '', path = ''] = line.split(' ')
      const key = method.toLowerCase()
      if (paths[path]?.[key] !== undefined) continue
      const isOpen = isAllowed(options.allowed, method, path)
      const operation = { tags: [tag], summary: titleOf(name), operationId: uniqueName(name, ids) }
      paths[path] = { ...paths[path], [key]: { ...operation, ...described(details, isOpen, options) } }
    }
  return paths
}

/** What a reader sees of an operation: `List Users` of `listUsers`. */
function titleOf(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1).replace(/([a-z\d])([A-Z])/g, '$1 $2')
}

/** Adds what all operations have. */
function described(details: Details, isOpen: boolean, { allowed, sandboxes }: DocumentOptions): object {
  const { needsToken = !isOpen, success, status = success ? 200 : 204, errors, ...others } = details
  // Where a rule of --allow opens it, a token that is sent is checked nevertheless.
  const isChecked = details.needsToken ?? allowed !== ALL
  return {
    ...others,
    security: securityOf(needsToken, sandboxes),
    responses: {
      [status]: success ? json('Done.', success) : { description: 'Done.' },
      ...(isChecked && { 401: reference('responses', 'Unauthorized') }),
      default: reference('responses', 'Error'),
      ...errors,
    },
  }
}

const SANDBOX = {
  type: 'apiKey',
  in: 'header',
  name: 'X-Sandbox',
  description: 'A name of your choice: requests that have it share a copy of the data.',
}

/** What can be sent along: a token if one is needed, and the name of a sandbox if there are any. */
function securityOf(needsToken: boolean, sandboxes: boolean): object[] {
  const token = needsToken ? { bearerAuth: [] } : {}
  if (sandboxes) return [token, { ...token, sandbox: [] }]
  return needsToken ? [token] : []
}

/** The routes that log in and out, or say who is logged in. */
function accountRows(data: Data, resources: readonly Resource[], options: DocumentOptions): Row[] {
  const { accounts, loginUsers, logins, personFields, readOnly } = options
  const users = resources.find(({ name }) => name === loginUsers)
  const emailAlone = object({ email: TEXT })
  const user = users?.record ?? emailAlone
  const name = users?.fields.find((field) => personFields.isName(labelOf(field))) ?? 'email'
  const example = exampleLogin(data, options)
  const known: readonly object[] = [...(users?.records ?? []), ...logins]
  // The empty one stands for everybody where nobody can log in yet.
  const people = known.length > 0 ? known : [{}]
  const responseOf = ({ response }: AccountRoute) =>
    response && inferSchema(people.map((person) => response('text', person)))
  const tokens = (route: AccountRoute): Details => ({
    ...openAccount(route),
    success: responseOf(route) ?? object({ access_token: TEXT }),
    'x-token': tokenFields(route),
  })
  const details: Record<AccountRoute['does'], (route: AccountRoute) => Details> = {
    logIn: (route) => ({
      ...tokens(route),
      description: 'On this page, Execute logs in. Type your own login if another one is shown.',
      requestBody: loginBody(route.response ? name : 'email', example),
    }),
    signUp: (route) => ({ ...tokens(route), status: 201, requestBody: body(users?.input ?? ANY_OBJECT) }),
    refresh: (route) => ({
      ...tokens(route),
      ...sent('In the body, unless it is in a cookie.', { refresh_token: '' }),
    }),
    logOut: (route) => ({ ...openAccount(route), success: ANY_OBJECT }),
    whoAmI: (route) => ({
      ...(route.response ? openAccount(route) : { errors: NOT_FOUND }),
      needsToken: true,
      success: responseOf(route) ?? (users && logins.length > 0 ? { anyOf: [user, emailAlone] } : user),
    }),
  }
  // A sign-up is a change, and a resource `auth` has the specified path of who am I.
  const isShown = ({ does, response }: AccountRoute) =>
    does === 'signUp' ? !readOnly : does !== 'whoAmI' || response !== undefined || !isWhoAmITaken(data)
  return accounts
    .filter(isShown)
    .map((route) => [`${route.method} ${route.path}`, route.does, details[route.does](route)])
}

/** An operation that needs no token. Where it is not as specified, the application chooses the form of a refusal. */
function openAccount({ response }: AccountRoute): Details {
  const [status, schema] = response ? (['default', {}] as const) : ([401, UNAUTHORIZED] as const)
  return { needsToken: false, errors: { [status]: json('Why it is refused.', schema) } }
}

/** Everybody can read the document: it shows no password but the sample's, and no email of a user in the data. */
function exampleLogin({ users }: Data, { logins }: DocumentOptions): Credentials {
  const [{ email } = { email: 'user@example.com' }] = logins
  return sampleLogin(users) ?? { email, password: 'password' }
}

/** @param name of the field that says who it is */
function loginBody(name: string, { email, password }: Credentials): object {
  const schema = object({
    [name]: { ...TEXT, examples: [email] },
    password: { ...TEXT, format: 'password', examples: [password] },
  })
  return {
    required: true,
    content: { 'application/json': { schema }, 'application/x-www-form-urlencoded': { schema } },
  }
}

const LOOKUP_USER = object({ name: TEXT, age: { type: 'integer' } })
const LOOKUP: Row = [
  `GET ${USER_LOOKUP_PATH}`,
  'lookUpUsers',
  {
    needsToken: false,
    description: 'All users of a fixed list, or one.',
    parameters: [{ name: 'id', in: 'query', schema: TEXT, description: 'A position, from 0.' }],
    success: object({ status: TEXT, users: { anyOf: [listOf(LOOKUP_USER), LOOKUP_USER] } }),
    errors: { default: json('What is wrong.', object({ status: TEXT, message: TEXT })) },
  },
]

/** The public reads; nothing where the data has no such collection. */
function publicRows(resources: readonly Resource[], { publicCollection, live }: DocumentOptions): Row[] {
  const found = resources.find(({ name, isCollection }) => name === publicCollection && isCollection)
  if (found === undefined) return []
  const { plural, singular } = publicNames(found.name)
  const list = {
    needsToken: false,
    description: `The records as they ${live ? 'are now' : 'were loaded'}. A query is ignored.`,
    success: object({ [plural]: listOf(found.record) }),
  }
  const one = {
    needsToken: false,
    parameters: [found.idParameter],
    success: object({ [singular]: found.record }),
  }
  return [
    [`GET /${plural}`, `list${found.listName}`, list],
    [`GET /${plural}/{id}`, `get${found.schemaName}`, one],
    [`GET /${singular}/{id}`, `read${found.schemaName}`, one],
  ]
}

/** The routes that control a sandbox: docs/testing.md. */
const SANDBOX_ROWS: readonly Row[] = [
  ['DELETE /__sandbox', 'forgetSandbox', {}],
  ['POST /__sandbox/reset', 'resetSandbox', sent('To the loaded data, but for collections of the body.', {})],
  [
    'GET /__sandbox/requests',
    'readRequests',
    {
      parameters: ['method', 'path'].map((name) => ({ name, in: 'query', schema: TEXT })),
      success: listOf(ANY_OBJECT),
    },
  ],
  ['GET /__sandbox/faults', 'readFaults', { success: listOf(ANY_OBJECT) }],
  [
    'PUT /__sandbox/faults',
    'setFaults',
    sent('Makes requests fail, wait or get answers.', [
      { method: 'POST', path: '/auth/login', status: 503, times: 1 },
    ]),
  ],
  ['PUT /__sandbox/clock', 'advanceClock', sent('Makes it later in the sandbox.', { advance: '61m' })],
  ['DELETE /__sandbox/sessions', 'endSessions', {}],
  [
    'PUT /__sandbox/sessions',
    'setSessions',
    sent('Whether a refresh token is good for one use.', { refreshOnce: true }),
  ],
]

/** What sends a body like an example. */
function sent(description: string, example: unknown): Details {
  return { description, requestBody: body({ examples: [example] }) }
}

/** The operations of a resource; of a collection, also those for its records that refer to one of another. */
function resourceRows(resource: Resource, all: readonly Resource[]): Row[] {
  const { name, isCollection, schemaName, fields, idParameter, record: success, input } = resource
  const path = isCollection ? `/${name}/{id}` : `/${name}`
  const one = isCollection ? { success, parameters: [idParameter], errors: NOT_FOUND } : { success }
  const read = isCollection ? { ...one, parameters: [idParameter, ...RELATIONS] } : one
  const change = { ...one, requestBody: body(input) }
  const rows: Row[] = [
    [`GET ${path}`, `get${schemaName}`, read],
    [`PUT ${path}`, `replace${schemaName}`, change],
    [`PATCH ${path}`, `update${schemaName}`, change],
  ]
  if (!isCollection) return [...rows, [`POST ${path}`, `create${schemaName}`, { ...change, status: 201 }]]
  // By json-server's convention, `postId` in a record refers to the collection `posts`.
  const parents = all.filter((other) => other.isCollection && fields.includes(other.foreignKey))
  return [
    ...listRows(resource),
    ...rows,
    [`DELETE ${path}`, `delete${schemaName}`, { ...one, success: EMPTY }],
    ...parents.flatMap((parent) => listRows(resource, parent)),
  ]
}

/** To read and to add to a collection, or those of its records that refer to one of a parent. */
function listRows(resource: Resource, parent?: Resource): Row[] {
  const { name, listName, schemaName, record, input } = resource
  const path = parent ? `/${parent.name}/{id}/${name}` : `/${name}`
  const end = parent ? `Of${parent.schemaName}` : ''
  const parameters = parent ? [parent.idParameter] : []
  // The path says what a nested record refers to, as a text.
  const required = resource.required.filter((field) => field !== parent?.foreignKey)
  const list = { parameters: [...parameters, ...LIST_QUERY], success: listOf(record) }
  const addition = {
    parameters,
    // With required fields, a generated client catches a misspelt one.
    requestBody: body(required.length > 0 ? { allOf: [input], required } : input),
    status: 201,
    success: parent ? ANY_OBJECT : record,
  }
  return [
    [`GET ${path}`, `list${listName}${end}`, list],
    [`POST ${path}`, `create${schemaName}${end}`, addition],
  ]
}

function listOf(items: Schema): Schema {
  return { type: 'array', items }
}

/** The schema of an object that has all of these properties. */
function object(properties: Readonly<Record<string, Schema>>): Schema {
  return { type: 'object', properties, required: Object.keys(properties) }
}

function body(schema: Schema): object {
  return { required: true, content: { 'application/json': { schema } } }
}

/** A response with JSON. */
function json(description: string, schema: Schema): object {
  return { description, content: { 'application/json': { schema } } }
}
