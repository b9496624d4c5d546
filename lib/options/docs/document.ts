import { publicNames, USER_LOOKUP_PATH, WHO_AM_I_PATH } from '../../auth/access-policy'
import type { AccountRoute } from '../../auth/account-route'
import { ALL, type Allowed, isAllowed } from '../../auth/allow-rules'
import type { Credentials } from '../../auth/credentials'
import type { Data } from '../../data/valid-data'
import { packageVersion } from '../../files/package'
import { formatDuration } from '../../format-duration'
import { isRecord } from '../../is-record'
import type { Schema } from './infer-schema'
import { childrenOf, describeResources, type Resource, type ResourceOptions, UniqueNames } from './resources'

/** What the document depends on beside the data. */
export interface DocumentOptions extends ResourceOptions {
  /** The title of the document and its page. */
  readonly title: string
  /** Whether the public list shows changes. */
  readonly live: boolean
  /** What needs no token beside the routes that are open. */
  readonly allowed: Allowed
  readonly readOnly: boolean
  /** Whether a DELETE also removes what refers to the record. */
  readonly cascade: boolean
  readonly sandboxes: boolean
  /** Seconds that a token lasts. */
  readonly tokenLifetime: number
  /** The routes of accounts, such as the login: {@link accountOperation} has a case for each. */
  readonly accounts: readonly AccountRoute[]
  /** A login that anybody may see: the sample one, or a name without its password. What is not shown is empty. */
  readonly shownLogin: Credentials
  /** Whether there are logins that are not in the data. */
  readonly hasLogins: boolean
}

/** An operation; {@link pathsOf} adds what all have. */
interface Operation {
  /** Its method and path: `GET /blogs/{id}`. */
  readonly line: string
  /** What generated clients call it, unless another operation has the name. */
  readonly operationId: string
  readonly summary: string
  readonly description?: string
  readonly tag: string
  /** Whether it needs a token. Default: as `--allow` says. */
  readonly needsToken?: boolean
  readonly parameters?: readonly object[]
  readonly requestBody?: object
  /** The successful ones, and those that only some operations have. */
  readonly responses: Readonly<Record<string, object>>
}

/** An operation as the document has it. */
interface DocumentedOperation
  extends Pick<Operation, 'operationId' | 'description' | 'parameters' | 'requestBody' | 'responses'> {
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[]
  readonly [keyword: string]: unknown
}

const TEXT = { type: 'string' }
const COUNT = { type: 'integer', minimum: 0 }
const ANY_OBJECT = { type: 'object', additionalProperties: true }
const EMPTY = { type: 'object', maxProperties: 0 }

/** What a list can be asked for: https://github.com/typicode/json-server/tree/v0.17.4#routes. */
const LIST_QUERY = {
  q: { schema: TEXT, description: 'Only records with this text in any field.' },
  _sort: { schema: TEXT, description: 'The field to sort by, or several, separated by commas.' },
  _order: { schema: TEXT, description: '`asc` or `desc`; with several fields, one for each.' },
  _page: { schema: { ...COUNT, minimum: 1 }, description: 'From 1. The header Link has the others.' },
  _limit: {
    schema: COUNT,
    description: 'The length of a slice or a page. The header X-Total-Count counts all.',
  },
  _start: { schema: COUNT, description: 'The first record of a slice, from 0.' },
  _end: { schema: COUNT, description: 'The record that the slice ends before.' },
  filters: {
    schema: ANY_OBJECT,
    description:
      'Fields and their values, as JSON: `{"name":"Mia"}`. A field with `_ne` at the end of its name must ' +
      'not be this, with `_gte` it must be this or more, with `_lte` this or less, and with `_like` it must ' +
      'match this regular expression. With `_has` it must be a list that has this, and with `_is` be `null` or ' +
      '`set`. In an address, each is a query parameter: `?name=Mia`.',
    style: 'form',
    explode: true,
    example: {},
  },
}
const RELATION_QUERY = {
  _embed: {
    schema: TEXT,
    description: 'A collection whose records refer to these by a field such as `postId`: adds them.',
  },
  _expand: {
    schema: TEXT,
    description:
      'What these refer to, such as `post` by their `postId`, or `tags` by their `tagIds`: adds it.',
  },
}
const LIST = Object.keys(LIST_QUERY).map((name) => reference('parameters', name))
const RELATIONS: readonly object[] = Object.keys(RELATION_QUERY).map((name) => reference('parameters', name))

const TOKEN_SCHEME = 'bearerAuth'
/** A text in a response that the page uses as the token from then on: page.mjs reads the mark. */
const TOKEN = { ...TEXT, 'x-authorizes': TOKEN_SCHEME }
const BEARER = { type: 'http', scheme: 'bearer', description: 'A login fills it in.' }
const SANDBOX = {
  type: 'apiKey',
  in: 'header',
  name: 'X-Sandbox',
  description: 'A name of your choice: requests that have it share a copy of the data.',
}

const UNAUTHORIZED = { 401: reference('responses', 'Unauthorized') }
const NOT_FOUND = { 404: reference('responses', 'NotFound') }

/** The OpenAPI 3.1 document of a server with this data. */
export function makeDocument(data: Data, options: DocumentOptions) {
  const { title, allowed, readOnly, cascade, sandboxes } = options
  const { listed, unlisted } = describeResources(data, options)
  const needToken = allowed !== ALL
  const operations = [
    ...options.accounts
      .filter(({ path }) => path !== WHO_AM_I_PATH || !Object.hasOwn(data, 'auth'))
      .map((route) => accountOperation(route, listed, options)),
    ...publicReads(listed, options),
    lookupOperation(),
    operation('GET /db', 'dumpDatabase', 'Get the whole data', {
      tag: 'Server',
      responses: { 200: json('All resources by name.', ANY_OBJECT) },
    }),
    ...(sandboxes ? sandboxOperations(needToken) : []),
    ...listed
      .flatMap((resource) => resourceOperations(resource, listed, cascade))
      .filter(({ line }) => line.startsWith('GET') || !readOnly),
  ]
  const tags = ['Login', ...listed.map(({ name }) => name), ...operations.map(({ tag }) => tag)]
  const query = Object.entries({ ...LIST_QUERY, ...RELATION_QUERY })
  return {
    openapi: '3.1.0',
    info: { title, version: packageVersion(), description: introduction(unlisted) },
    servers: [{ url: '/' }],
    security: securityOf(needToken, sandboxes),
    tags: [...new Set(tags)].map((name) => ({ name })),
    paths: pathsOf(operations, options),
    components: {
      schemas: Object.fromEntries(listed.flatMap(({ schemas }) => Object.entries(schemas))),
      parameters: Object.fromEntries(
        query.map(([name, parameter]) => [name, { name, in: 'query', ...parameter }]),
      ),
      responses: {
        Unauthorized: json('The token is missing, invalid or expired; at a login, nobody has it.', {
          ...TEXT,
          enum: ['Unauthorized'],
        }),
        NotFound: json('There is no such record.', EMPTY),
        Error: json('What is wrong, in a sentence.', object({ error: TEXT })),
      },
      securitySchemes: { [TOKEN_SCHEME]: BEARER, ...(sandboxes && { sandbox: SANDBOX }) },
    },
  }
}

/** How the document was made, and what it does not show. */
function introduction(unlisted: readonly string[]): string {
  const made =
    'Made from a sample of the data as it was loaded: records can have other fields than those shown, and ' +
    'the server itself requires none of them.'
  const names = unlisted.map((name) => `\`${name}\``)
  return names.length > 0 ? `${made}\n\nNot listed, because of their names: ${names.join(', ')}.` : made
}

/** The operations by path and method. The first of a path wins, as the steps of the server do. */
function pathsOf(operations: readonly Operation[], options: DocumentOptions) {
  const ids = new UniqueNames()
  const paths: Record<string, Record<string, DocumentedOperation>> = {}
  for (const { line, ...operation } of operations) {
    const [method = '', path = ''] = line.split(' ')
    const key = method.toLowerCase()
    if (paths[path]?.[key] !== undefined) continue
    const documented = completed(operation, isAllowed(options.allowed, method, path), options)
    paths[path] = { ...paths[path], [key]: { ...documented, operationId: ids.take(operation.operationId) } }
  }
  return paths
}

/** Adds what all operations have. */
function completed(
  { tag, needsToken, parameters, responses, ...operation }: Omit<Operation, 'line'>,
  isOpenByRule: boolean,
  { allowed, sandboxes }: DocumentOptions,
): DocumentedOperation {
  const isOpen = needsToken === undefined ? isOpenByRule : !needsToken
  // A token that is sent to what a rule of --allow names is checked, too. Relations, which read other
  // collections, still need one.
  const isChecked = needsToken ?? allowed !== ALL
  return {
    ...operation,
    tags: [tag],
    ...(parameters && {
      parameters: isOpen && isChecked ? parameters.filter((one) => !RELATIONS.includes(one)) : parameters,
    }),
    responses: { ...(isChecked && UNAUTHORIZED), default: reference('responses', 'Error'), ...responses },
    ...(isOpen !== (allowed === ALL) && { security: securityOf(!isOpen, sandboxes) }),
  }
}

/** What can be sent along: a token if one is needed, and the name of a sandbox if there are any. */
function securityOf(needsToken: boolean, sandboxes: boolean): Record<string, string[]>[] {
  const token: Record<string, string[]> = needsToken ? { [TOKEN_SCHEME]: [] } : {}
  if (sandboxes) return [token, { ...token, sandbox: [] }]
  return needsToken ? [token] : []
}

/** What a route of accounts does. */
function accountOperation(
  { method, path, does, response }: AccountRoute,
  listed: readonly Resource[],
  { shownLogin: { email, password }, hasLogins, tokenLifetime }: DocumentOptions,
): Operation {
  const line = `${method} ${path}`
  const open = { tag: 'Login', needsToken: false }
  const users = listed.find(({ name }) => name === 'users')
  const success = json('The token.', response ? schemaOf(response(MARK)) : object({ access_token: TOKEN }))
  switch (does) {
    case 'logIn': {
      const name = (response && users?.fields.find((field) => NAMES.includes(field))) ?? 'email'
      const schema = object({
        [name]: { ...TEXT, examples: [email || 'user@example.com'] },
        password: { ...TEXT, format: 'password', examples: [password || 'password'] },
      })
      const whose = password ? '' : 'Type your own in place of what is shown. '
      return operation(line, does, 'Log in', {
        ...open,
        description: `${whose}On this page, Execute logs in. The token lasts ${formatDuration(tokenLifetime)}.`,
        requestBody: {
          required: true,
          content: { 'application/json': { schema }, 'application/x-www-form-urlencoded': { schema } },
        },
        responses: { 200: success, ...(response ? REFUSED : UNAUTHORIZED) },
      })
    }
    case 'signUp':
      return operation(line, does, 'Sign up, and log in', {
        ...open,
        requestBody: body(users ? reference('schemas', users.inputName) : ANY_OBJECT, users?.example ?? {}),
        responses: { 201: success, ...REFUSED },
      })
    case 'refresh':
      return operation(line, does, 'Get new tokens for a refresh token', {
        ...open,
        requestBody: body(object({ refresh_token: TEXT }), { refresh_token: '' }),
        responses: { 200: success, ...REFUSED },
      })
    case 'logOut':
      return operation(line, does, 'End the session', {
        ...open,
        responses: { 200: json('It has ended.', ANY_OBJECT), ...REFUSED },
      })
    case 'whoAmI': {
      const emailAlone = object({ email: TEXT })
      const user = users === undefined ? emailAlone : recordOf(users)
      return operation(line, does, 'Get the user who is logged in', {
        tag: 'Login',
        needsToken: true,
        responses: {
          200: json('The user.', hasLogins ? { anyOf: [user, emailAlone] } : user),
          ...NOT_FOUND,
        },
      })
    }
  }
}

/** The names by which people log in, where the application chooses. */
const NAMES = ['email', 'username', 'login', 'phone', 'mobile', 'name']

/** A refusal of which the application chooses the form. */
const REFUSED = { default: json('Why it is refused.', {}) }

/** Stands for the token in a sample. */
const MARK = '<token>'

/** The schema of a response like a sample. */
function schemaOf(sample: unknown): Schema {
  if (sample === MARK) return TOKEN
  if (!isRecord(sample)) return {}
  const fields = Object.entries(sample).map(([name, value]) => [name, schemaOf(value)])
  return { type: 'object', properties: Object.fromEntries(fields) }
}

function lookupOperation(): Operation {
  const user = object({ name: TEXT, age: { type: 'integer' } })
  const users = { anyOf: [listOf(user), user] }
  return operation(`GET ${USER_LOOKUP_PATH}`, 'lookUpUsers', 'List the users of a fixed list, or get one', {
    tag: 'User lookup',
    needsToken: false,
    parameters: [{ name: 'id', in: 'query', schema: TEXT, description: 'A position, from 0.' }],
    responses: {
      200: json('All, or one.', object({ status: TEXT, users })),
      default: json('What is wrong.', object({ status: TEXT, message: TEXT })),
    },
  })
}

/** The two public reads; nothing where the data has no such collection. */
function publicReads(listed: readonly Resource[], { publicCollection, live }: DocumentOptions): Operation[] {
  const found = listed.find(({ name, isCollection }) => name === publicCollection && isCollection)
  if (found === undefined) return []
  const { plural, singular } = publicNames(found.name)
  const record = recordOf(found)
  const open = { tag: plural, needsToken: false }
  const single = {
    ...open,
    parameters: [found.idParameter],
    responses: { 200: json('The record as it is now.', object({ [singular]: record })) },
  }
  const get = `Get a record of ${plural}, without a token`
  return [
    operation(`GET /${plural}`, `list${found.listName}`, `List ${plural}, without a token`, {
      ...open,
      description: `The records as they ${live ? 'are now' : 'were loaded'}. A query is ignored.`,
      responses: { 200: json('All records.', object({ [plural]: listOf(record) })) },
    }),
    operation(`GET /${plural}/{id}`, `get${found.schemaName}`, get, single),
    operation(`GET /${singular}/{id}`, `read${found.schemaName}`, get, single),
  ]
}

/** The routes that control a sandbox: docs/testing.md. */
function sandboxOperations(needsToken: boolean): Operation[] {
  const done = { tag: 'Sandboxes', needsToken, responses: { 204: { description: 'Done.' } } }
  const list = { ...done, responses: { 200: json('The list.', listOf(ANY_OBJECT)) } }
  const filter = ['method', 'path'].map((name) => ({ name, in: 'query', schema: TEXT }))
  const faults = [{ method: 'POST', path: '/auth/login', status: 503, times: 1 }]
  return [
    operation('DELETE /__sandbox', 'forgetSandbox', 'Forget the sandbox', done),
    operation('POST /__sandbox/reset', 'resetSandbox', 'Reset it to the loaded data, but for the body', {
      ...done,
      requestBody: { ...body(ANY_OBJECT, {}), required: false },
    }),
    operation('GET /__sandbox/requests', 'readRequests', 'List the requests to the sandbox', {
      ...list,
      parameters: filter,
    }),
    operation('GET /__sandbox/faults', 'readFaults', 'List the rules by which requests fail', list),
    operation('PUT /__sandbox/faults', 'setFaults', 'Make requests fail, wait or get answers', {
      ...done,
      requestBody: body(listOf(ANY_OBJECT), faults),
    }),
    operation('PUT /__sandbox/clock', 'advanceClock', 'Make it later in the sandbox', {
      ...done,
      requestBody: body(object({ advance: TEXT }), { advance: '61m' }),
    }),
    operation('DELETE /__sandbox/sessions', 'endSessions', 'End all sessions of the sandbox', done),
    operation('PUT /__sandbox/sessions', 'setSessions', 'Say whether a refresh token is good for one use', {
      ...done,
      requestBody: body(object({ refreshOnce: { type: 'boolean' } }), { refreshOnce: true }),
    }),
    operation('GET /__sandbox/login', 'findLogin', 'Say where to log in, and where the token is then', {
      tag: 'Sandboxes',
      needsToken: false,
      responses: { 200: json('The place.', ANY_OBJECT) },
    }),
  ]
}

/** The operations of a resource; of a collection, also those of the records of others that refer to one. */
function resourceOperations(resource: Resource, all: readonly Resource[], cascade: boolean): Operation[] {
  const { name, isCollection, schemaName, inputName, example, idParameter } = resource
  const path = isCollection ? `/${name}/{id}` : `/${name}`
  const what = isCollection ? `a record of ${name}` : name
  const parameters = isCollection ? [idParameter] : []
  const responses = { 200: json('What is stored.', recordOf(resource)), ...(isCollection && NOT_FOUND) }
  const one = { tag: name, parameters, responses }
  const change = { ...one, requestBody: body(reference('schemas', inputName), example) }
  const readAndChange = [
    operation(`GET ${path}`, `get${schemaName}`, `Get ${what}`, {
      ...one,
      parameters: isCollection ? [idParameter, ...RELATIONS] : [],
    }),
    operation(`PUT ${path}`, `replace${schemaName}`, `Replace ${what}`, change),
    operation(`PATCH ${path}`, `update${schemaName}`, `Change ${what}`, change),
  ]
  if (!isCollection)
    return [
      ...readAndChange,
      operation(`POST ${path}`, `create${schemaName}`, `Replace ${name}, by POST`, {
        ...change,
        responses: { 201: json('What was stored.', recordOf(resource)) },
      }),
    ]
  const children = childrenOf(resource, all)
  return [
    ...listOperations(resource),
    ...readAndChange,
    operation(
      `DELETE ${path}`,
      `delete${schemaName}`,
      `Delete ${what}${cascade ? ', and what refers to it' : ''}`,
      {
        ...one,
        responses: { 200: json('It was deleted.', EMPTY), ...NOT_FOUND },
      },
    ),
    ...children.flatMap((child) => listOperations(child, resource)),
  ]
}

/** To read and to add to a collection, or those of its records that refer to one of a parent. */
function listOperations(resource: Resource, parent?: Resource): Operation[] {
  const { name, listName, schemaName, inputName } = resource
  const path = parent ? `/${parent.name}/{id}/${name}` : `/${name}`
  const where = parent ? `the ${name} of a record of ${parent.name}` : name
  const end = parent ? `Of${parent.schemaName}` : ''
  const parameters = parent ? [parent.idParameter] : []
  // The path says what a nested record refers to, as a text.
  const isSent = (field: string) => field !== parent?.foreignKey
  const required = resource.required.filter(isSent)
  const example = Object.fromEntries(Object.entries(resource.example).filter(([field]) => isSent(field)))
  const input = reference('schemas', inputName)
  return [
    operation(`GET ${path}`, `list${listName}${end}`, `List ${where}`, {
      tag: name,
      parameters: [...parameters, ...LIST, ...RELATIONS],
      responses: { 200: json('All records, or those of the query.', listOf(recordOf(resource))) },
    }),
    operation(`POST ${path}`, `create${schemaName}${end}`, `Add a record to ${where}`, {
      tag: name,
      parameters,
      // With required fields, a generated client catches a misspelt one.
      requestBody: body(required.length > 0 ? { allOf: [input], required } : input, example),
      responses: { 201: json('What was stored.', parent ? ANY_OBJECT : recordOf(resource)) },
    }),
  ]
}

/** Names what each operation has; `others` depend on what it does. */
function operation(
  line: string,
  operationId: string,
  summary: string,
  others: Omit<Operation, 'line' | 'operationId' | 'summary'>,
): Operation {
  return { line, operationId, summary, ...others }
}

function recordOf({ schemaName }: Resource): Schema {
  return reference('schemas', schemaName)
}

function listOf(items: Schema): Schema {
  return { type: 'array', items }
}

/** The schema of an object that has all of these properties. */
function object(properties: Readonly<Record<string, Schema>>): Schema {
  return { type: 'object', properties, required: Object.keys(properties) }
}

function body(schema: Schema, example: unknown): object {
  return { required: true, content: { 'application/json': { schema, example } } }
}

/** A response with JSON. */
function json(description: string, schema: Schema): object {
  return { description, content: { 'application/json': { schema } } }
}

/** Refers to a part that the document has once. */
function reference(kind: 'schemas' | 'responses' | 'parameters', name: string): Schema {
  return { $ref: `#/components/${kind}/${name}` }
}
