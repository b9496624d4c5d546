import { ALL, type Allowed, isAllowed, isNamed } from '../../auth/allow-rules'
import { PAGE_PATH } from '../../auth/paths'
import type { TokenRefusal } from '../../auth/unauthorized-body'
import { type Data, resourceNames } from '../../data/valid-data'
import { packageVersion } from '../../files/package'
import {
  ANY_OBJECT,
  bodyOf,
  type Describe,
  type DescribedData,
  type DescribedSchemas,
  EMPTY,
  type Group,
  listOf,
  NOT_FOUND,
  type Operation,
  type OperationRow,
  objectOf,
  reference,
  responseOf,
  type Schema,
  STREAMED,
  TEXT,
  UNAUTHORIZED,
} from '../../http/openapi'
import { prefixOf, type RewriteRules } from '../../http/rewrite-rules'
import { isRecord } from '../../is-record'
import { jsonCopy } from '../../json-copy'
import { resourcePath } from '../../json-server/addresses'
import { inferSchema } from './infer-schema'
import { describeResources, pascalCase, type Resource, type ResourceOptions, uniqueName } from './resources'
import { ruleRows } from './rule-rows'

/** What the document depends on beside the data. */
export interface DocumentOptions extends ResourceOptions {
  /** The title of the document and its page. */
  readonly title: string
  /** What needs no token beside the routes that are open. */
  readonly allowed: () => Allowed
  readonly readOnly: boolean
  /** The header that names a sandbox; undefined without them. */
  readonly sandboxHeader: string | undefined
  /** The rewrite rules: one may take a prefix off in front of the paths of resources. */
  readonly rules: RewriteRules
  /** Whether a POST may bring several records. */
  readonly severalAtOnce: boolean
  /** Whether people log in by OpenID Connect as well. */
  readonly openid: boolean
  /** What the steps of the server say of themselves, in the order of the document. */
  readonly described: readonly Describe[]
  /** How the token check refuses, where the application chooses that. */
  readonly tokenRefusal: TokenRefusal | undefined
}

const COUNT = { type: 'integer', minimum: 0 }

/** What a list can be asked for: https://github.com/typicode/json-server/tree/v0.17.4#routes. */
const QUERY: readonly (readonly [name: string, schema: Schema, description: string])[] = [
  ['q', TEXT, 'Only records with this text in any field.'],
  ['_sort', TEXT, 'The field to sort by, or several, separated by commas.'],
  ['_order', TEXT, '`asc` or `desc`; with several fields, one for each.'],
  ['_page', COUNT, 'From 1. The header Link has the others.'],
  ['_limit', COUNT, 'The length of a slice or a page. The header X-Total-Count counts all.'],
  ['_start', COUNT, 'The first record of a slice, from 0.'],
  ['_end', COUNT, 'The record that the slice ends before.'],
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
/** Said of each list: another response would make what generated clients return a union. */
const LISTED = `${STREAMED} With \`_one\`, it is the first record itself, or a 404.`
/** Said of each POST that adds a record, for the same reason. */
const SEVERAL = 'A list of records is stored as a whole or not at all, and the response is the list.'

const SHARED_PARAMETERS = Object.fromEntries(
  QUERY.map(([name, schema, description]) => [name, { name, in: 'query', schema, description }]),
)
/** Gives the parameter to which a reference leads. */
const sharedParameter = (reference: string) =>
  SHARED_PARAMETERS[reference.replace('#/components/parameters/', '')]

const LIST_NAMES = new Set(QUERY.map(([name]) => name))
const LIST_QUERY = QUERY.map(([name]) => reference('parameters', name))
/** The last two: a single record can be asked for them as well, and nothing that is nested in one. */
const [OWN_LIST_QUERY, RELATIONS] = [LIST_QUERY.slice(0, -2), LIST_QUERY.slice(-2)]

/** The OpenAPI 3.1 document of a server with this data. */
export function makeDocument(data: Data, options: DocumentOptions) {
  const { title, readOnly, sandboxHeader, openid, schemas, severalAtOnce, tokenRefusal } = options
  const resources = describeResources(data, options)
  const top = resources.filter(({ holder }) => holder === undefined)
  const known: DescribedData = {
    data,
    resource: (name) => top.find((resource) => resource.name === name),
    schemaOf: (values) => inferSchema(values, { isComplete: true }),
  }
  const isShown = ([line]: OperationRow) =>
    line !== `GET ${PAGE_PATH}` && (!readOnly || line.startsWith('GET'))
  const groups: readonly Group[] = [
    ...options.described.map((describe) => describe(known)),
    ['Server', [['GET /db', 'dumpDatabase', { description: STREAMED, success: ANY_OBJECT }]]],
    ...resources.map((resource): Group => {
      const refused = resource.isChecked &&
        schemas && {
          [schemas.refusal.status]: reference('responses', 'Refused'),
        }
      const rows = resourceRows(resource, top, { refused, severalAtOnce })
        .map((row) => ofOwner(row, resource))
        .map((row) => ofField(row, resource, options))
      return [(resource.holder ?? resource).name, rows.filter(isShown)]
    }),
  ]
  const led = ruleRows(options.rules, groups, sharedParameter)
  const services = groups.filter(([, rows]) => rows.length > 0).map(([tag]) => tag)
  const tags = new Set(['Login', ...top.map(({ name }) => name), ...services])
  return {
    openapi: '3.1.0',
    info: {
      title,
      version: packageVersion(),
      description:
        'Made from a sample of the data as it was loaded: records can have other fields than those shown, and the ' +
        `server itself requires none of them${schemas ? ', but where a schema says so' : ''}.`,
    },
    servers: [{ url: '/' }],
    'x-data': dataOf(data, options),
    tags: [...tags].map((name) => ({ name })),
    paths: pathsOf([...led, ...groups], options),
    components: {
      schemas: withShared(
        Object.fromEntries(resources.flatMap((one) => Object.entries(one.schemas))),
        top,
        schemas,
      ),
      parameters: SHARED_PARAMETERS,
      responses: {
        Unauthorized: responseOf(
          'The token is missing, invalid or expired, or the server was restarted without JWT_SECRET: log in again.' +
            (tokenRefusal ? '' : ' A browser that opens the address gets a page.'),
          refusedBody(options),
          tokenRefusal ? [] : ['text/html'],
        ),
        NotFound: responseOf('There is no such record.', EMPTY),
        ...(resources.some(({ rule }) => rule) && {
          Forbidden: responseOf('It belongs to somebody else.', objectOf({ error: TEXT })),
        }),
        ...(schemas && {
          Refused: responseOf('What is wrong with each field.', refusedSchema(schemas.refusal.body)),
        }),
        Error: responseOf('What is wrong, in a sentence.', objectOf({ error: TEXT })),
      },
      securitySchemes: {
        bearerAuth: { type: 'http', scheme: 'bearer', description: 'A login fills it in.' },
        ...(openid && { openid: OPENID }),
        ...(sandboxHeader !== undefined && { sandbox: sandboxScheme(sandboxHeader) }),
      },
    },
  }
}

/** Adds the schemas that are shared, and leads references to where a document has them. */
function withShared(
  own: Readonly<Record<string, Schema>>,
  resources: readonly Resource[],
  { shared = {} }: Partial<DescribedSchemas> = {},
): Readonly<Record<string, Schema>> {
  const names = new Set(Object.keys(own).map((name) => name.toLowerCase()))
  // What is nested in another record has no id.
  const components = new Map(resources.map(({ name, input }) => [name, String(input.$ref)]))
  const added = Object.entries(shared).map(([name, schema]) => {
    const component = uniqueName(pascalCase(name), names)
    components.set(name, String(reference('schemas', component).$ref))
    return [component, schema] as const
  })
  const led = (keyword: string, value: unknown): unknown => {
    if (keyword !== '$ref' || typeof value !== 'string' || value.startsWith(COMPONENTS)) return value
    const { name = '', rest = '' } = SHARED.exec(value)?.groups ?? {}
    // What leads elsewhere in a schema of its own is left open.
    return components.has(name) ? `${components.get(name)}${rest}` : undefined
  }
  const all = Object.entries({ ...own, ...Object.fromEntries(added) })
  return Object.fromEntries(all.map(([name, schema]) => [name, jsonCopy(schema, led)]))
}

/** References of a document, and those of schemas to what they share. */
const COMPONENTS = '#/components/'
const SHARED = /^#\/(?:\$defs|definitions)\/(?<name>[^/]+)(?<rest>.*)$/

/** The schema of a refusal, made of a sample in which one field is wrong, whose name is `field`. */
function refusedSchema(sample: unknown): Schema {
  if (Array.isArray(sample)) return listOf(refusedSchema(sample[0]))
  if (!isRecord(sample)) return inferSchema([sample])
  const schemas = Object.fromEntries(
    Object.entries(sample).map(([name, part]) => [name, refusedSchema(part)]),
  )
  const { field, ...others } = schemas
  return field !== undefined && Object.keys(others).length === 0
    ? { type: 'object', additionalProperties: field }
    : objectOf(schemas)
}

/**
 * What the page of the data needs: where each resource is, whatever its name, and what it can do with its records. The
 * list of the public collection is json-server's own at the path with a slash.
 */
function dataOf(data: Data, { rules, publicCollection, idProperty, readOnly, ownerRules }: DocumentOptions) {
  const prefix = prefixOf(rules)
  const resources = resourceNames(data).flatMap((name) => {
    const address = resourcePath(name)
    const isList = Array.isArray(data[name])
    const path = `${prefix}/${address}${isList && name === publicCollection ? '/' : ''}`
    const rule = ownerRules?.get(name)
    // The server itself says whose a new record is.
    const ownerField = rule?.areUsers === false ? rule.field : undefined
    return address === undefined ? [] : [{ name, path, isList, ownerField }]
  })
  return { idProperty, readOnly, resources }
}

/** The operations by path and method. The first of a path wins, as the steps of the server do. */
function pathsOf(groups: readonly Group[], options: DocumentOptions) {
  const prefix = prefixOf(options.rules)
  const ids = new Set<string>()
  const paths: Record<string, Record<string, object>> = {}
  for (const [tag, rows] of groups)
    for (const [line, name, details] of rows) {
      const [method = '', served = ''] = line.split(' ')
      const path = details.isFixed ? served : prefix + served
      const key = method.toLowerCase()
      if (paths[path]?.[key] !== undefined) continue
      const [ledMethod = '', ledPath = ''] = (details.ledTo ?? line).split(' ')
      const isOpen = isAllowed(options.allowed(), ledMethod, ledPath)
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
function described(details: Operation, isOpen: boolean, options: DocumentOptions): object {
  const {
    needsToken = !isOpen,
    isFixed: _,
    ledTo: _line,
    success,
    status = success ? 200 : 204,
    errors,
    ...others
  } = details
  // Where a rule of --allow opens it, a token that is sent is checked nevertheless.
  const isChecked = details.needsToken ?? options.allowed() !== ALL
  const { status: refused } = options.tokenRefusal ?? { status: 401 }
  const done =
    isChecked && refused === status && success ? { anyOf: [success, refusedBody(options)] } : success
  return {
    ...others,
    security: securityOf(needsToken, options),
    responses: {
      ...(isChecked && { [refused]: reference('responses', 'Unauthorized') }),
      [status]: done ? responseOf('Done.', done) : { description: 'Done.' },
      default: reference('responses', 'Error'),
      ...errors,
    },
  }
}

/** What the token check sends. */
function refusedBody({ tokenRefusal }: DocumentOptions): Schema {
  return tokenRefusal ? inferSchema([tokenRefusal.body('text')]) : UNAUTHORIZED
}

/** How requests name a sandbox. */
function sandboxScheme(header: string): object {
  const description = 'A name of your choice: requests that have it share a copy of the data.'
  return { type: 'apiKey', in: 'header', name: header, description }
}

/** Where a token comes from that a person gets by OpenID Connect. The addresses are relative, as a proxy may strip a prefix. */
const OPENID = {
  type: 'oauth2',
  description: 'Log in by OpenID Connect, as any client: choose openid, and no secret is needed.',
  flows: {
    authorizationCode: {
      authorizationUrl: 'protocol/openid-connect/auth',
      tokenUrl: 'protocol/openid-connect/token',
      refreshUrl: 'protocol/openid-connect/token',
      scopes: { openid: 'who you are', profile: 'your name', email: 'your email' },
    },
  },
}

/** What can be sent along: a token if one is needed, and the name of a sandbox if there are any. */
function securityOf(needsToken: boolean, { openid, sandboxHeader }: DocumentOptions): object[] {
  const sandboxes = sandboxHeader !== undefined
  if (!needsToken) return sandboxes ? [{}, { sandbox: [] }] : []
  const tokens: object[] = openid ? [{ bearerAuth: [] }, { openid: [] }] : [{ bearerAuth: [] }]
  return sandboxes ? tokens.flatMap((token) => [token, { ...token, sandbox: [] }]) : tokens
}

/** What an operation needs, and how it is refused, where records are those of single users. */
function ofOwner([line, id, operation]: OperationRow, { rule }: Resource): OperationRow {
  const isRead = line.startsWith('GET')
  if (rule === undefined || (isRead && !rule.isPrivate)) return [line, id, operation]
  const isSignUp = rule.areUsers && line.startsWith('POST')
  const errors = isRead ? operation.errors : { ...operation.errors, 403: reference('responses', 'Forbidden') }
  return [line, id, { ...operation, ...(!isSignUp && { needsToken: true }), ...(errors && { errors }) }]
}

/** For a field, a rule with `:id` opens nothing. */
function ofField(
  [line, id, operation]: OperationRow,
  { holder, path }: Resource,
  { allowed }: DocumentOptions,
): OperationRow {
  const [method = '', asked = ''] = line.split(' ')
  const needsToken = holder !== undefined && asked === path && !isNamed(allowed(), method, path)
  return [line, id, needsToken ? { ...operation, needsToken } : operation]
}

/** What the operations of every resource have in common. */
interface RowOptions extends Pick<DocumentOptions, 'severalAtOnce'> {
  /** The response to what does not fit a schema, if there is one. */
  readonly refused: Operation['errors'] | false | undefined
}

/** The operations of a resource; of a collection, also those for its records that refer to one of another. */
function resourceRows(resource: Resource, all: readonly Resource[], options: RowOptions): OperationRow[] {
  const { refused } = options
  const { isCollection, schemaName, fields, idName, holder, record: success, input, changes } = resource
  if (isCollection && idName === undefined) return listRows(resource, options)
  const path = isCollection ? `${resource.path}/{${idName}}` : resource.path
  const ids = isCollection ? [...resource.pathParameters, resource.idParameter] : resource.pathParameters
  const one = { success, parameters: ids, errors: isCollection || holder ? NOT_FOUND : {} }
  const relations = isCollection && !holder ? RELATIONS : []
  const read = { ...one, parameters: [...ids, ...relations], description: STREAMED }
  const change = { ...one, requestBody: bodyOf(input), errors: { ...one.errors, ...refused } }
  const rows: OperationRow[] = [
    [`GET ${path}`, `get${schemaName}`, read],
    [`PUT ${path}`, `replace${schemaName}`, change],
    [`PATCH ${path}`, `update${schemaName}`, { ...change, requestBody: bodyOf(changes) }],
  ]
  if (!isCollection) return [...rows, [`POST ${path}`, `create${schemaName}`, { ...change, status: 201 }]]
  // By json-server's convention, `postId` in a record refers to the collection `posts`; `postIds` is a list.
  const parents = all.filter(
    ({ isCollection, foreignKey }) =>
      isCollection && !holder && [foreignKey, `${foreignKey}s`].some((key) => fields.includes(key)),
  )
  return [
    ...listRows(resource, options),
    ...rows,
    [`DELETE ${path}`, `delete${schemaName}`, { ...one, success: EMPTY }],
    ...parents.flatMap((parent) => listRows(resource, options, parent)),
  ]
}

/** To read and to add to a collection, or those of its records that refer to one of a parent. */
function listRows(
  resource: Resource,
  { refused, severalAtOnce }: RowOptions,
  parent?: Resource,
): OperationRow[] {
  const { name, listName, schemaName, holder, record, input } = resource
  const path = parent ? `${parent.path}/{id}/${name}` : resource.path
  const end = parent ? `Of${parent.schemaName}` : ''
  const parameters = parent ? [parent.idParameter] : resource.pathParameters
  const errors = holder ? NOT_FOUND : {}
  const list = {
    description: LISTED,
    errors,
    parameters: [
      ...parameters,
      ...(holder ? OWN_LIST_QUERY : LIST_QUERY),
      ...resource.filters.filter(({ name: own }) => !LIST_NAMES.has(own)),
    ],
    success: listOf(record),
  }
  const addition = {
    ...(severalAtOnce && { description: SEVERAL }),
    parameters,
    errors: { ...errors, ...refused },
    requestBody: bodyOf(input),
    status: 201,
    success: parent ? ANY_OBJECT : record,
  }
  const read: OperationRow = [`GET ${path}`, `list${listName}${end}`, list]
  if (resource.isOfValues) return [read]
  return [read, [`POST ${path}`, `create${schemaName}${end}`, addition]]
}
