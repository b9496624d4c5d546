import path from 'node:path'
import { Worker } from 'node:worker_threads'
import { brotliDecompressSync, unzipSync } from 'node:zlib'
import { Ajv2020, type Options, type ValidateFunction } from 'ajv/dist/2020'
import addFormats from 'ajv-formats'
import { randomSigningKey } from '../../lib/auth/access-token'
import { servicesOf } from '../../lib/auth/service'
import { Visitors } from '../../lib/auth/visitors'
import type { Data } from '../../lib/data/valid-data'
import type { HttpRequest } from '../../lib/http/handler'
import { compileRules, NO_RULES, type Rewrite, type RewriteRules } from '../../lib/http/rewrite-rules'
import { isRecord } from '../../lib/is-record'
import { type DocumentOptions, makeDocument } from '../../lib/options/docs/document'
import { describeResources, type ResourceOptions } from '../../lib/options/docs/resources'
import { login } from '../../middlewares/login'
import { publicReads } from '../../middlewares/public-reads'
import { userLookup } from '../../middlewares/user-lookup'
import { whoAmI } from '../../middlewares/who-am-i'
import { type Answer, ask, json, type Question } from './http'

export type OpenApiDocument = ReturnType<typeof makeDocument>

/** Headers that a response has only if the document says so. */
const TELLING_HEADERS = ['x-total-count', 'link', 'location', 'www-authenticate', 'etag']

/** Other tests validate the document itself. */
const OPTIONS: Options = {
  strict: false,
  allErrors: true,
  ownProperties: true,
  meta: false,
  validateSchema: false,
}

/** What a server's own `/openapi.json` says about its responses. */
export class Contract {
  readonly #document: object
  readonly #rewrite: Rewrite
  readonly #ajv = new Ajv2020(OPTIONS)
  readonly #validators = new Map<string, ValidateFunction>()
  /** The paths, those with fewest placeholders first. */
  readonly #templates: { template: string; pattern: RegExp }[]
  static readonly #known = new Map<string, Contract>()

  /**
   * The same contract for the same document, because compiling a schema takes longer than a request.
   *
   * @param rules those of the server: the document describes the paths behind them
   */
  static for(document: object, rules: RewriteRules = NO_RULES): Contract {
    const key = JSON.stringify([document, rules])
    const contract = Contract.#known.get(key) ?? new Contract(document, rules)
    Contract.#known.set(key, contract)
    return contract
  }

  private constructor(document: object, rules: RewriteRules) {
    this.#document = document
    this.#rewrite = compileRules(rules)
    this.#templates = Object.keys(this.#at(['paths']))
      .sort((one, other) => one.split('{').length - other.split('{').length)
      .map((template) => ({ template, pattern: pattern(template) }))
    addFormats.default(this.#ajv)
    this.#ajv.addSchema(withOptionalFields(document), 'openapi.json')
  }

  /**
   * Asks a server with `--docs` for its document.
   *
   * @param rules as above
   */
  static async of(url: string, rules?: RewriteRules): Promise<Contract> {
    const document = json(await ask(url, { path: '/openapi.json' }))
    if (!isRecord(document)) throw new Error(`${url}/openapi.json is no object.`)
    return Contract.for(document, rules)
  }

  /** The undocumented parts of a response, or undefined when the request itself is not in the document. */
  problems({ method = 'GET', path, headers = {} }: Question, answer: Answer): string[] | undefined {
    const sent = new Set(Object.keys(headers).map((name) => name.toLowerCase()))
    const [pathname = '', query = ''] = this.#behindRules(path).split('?')
    // The document describes the method that runs, and JSON; a JSONP response is not JSON.
    if (sent.has('x-http-method-override') || query.includes('callback=')) return undefined
    const pointer = this.#operation(method === 'HEAD' ? 'get' : method.toLowerCase(), pathname)
    if (pointer === undefined) return undefined
    const problems: string[] = []
    const operation = this.#at(pointer)
    const isProtected = JSON.stringify(operation.security ?? this.#at([]).security) === '[{"bearerAuth":[]}]'
    if (isProtected && !sent.has('authorization') && answer.status !== 401)
      problems.push('succeeded without a token')
    const responses = this.#at([...pointer, 'responses'])
    // A range of statuses, such as 4XX, covers those that are not listed (OpenAPI 3.1, Responses Object).
    const status = [String(answer.status), `${Math.floor(answer.status / 100)}XX`].find(
      (key) => key in responses,
    )
    if (status === undefined) return [...problems, `the status ${answer.status} is not documented`]
    const response = this.#resolve([...pointer, 'responses', status])
    problems.push(...this.#headerProblems(response, answer))
    if (method !== 'HEAD') problems.push(...this.#bodyProblems(response, answer))
    return problems
  }

  #headerProblems(response: readonly string[], { headers }: Answer): string[] {
    const documented = this.#at([...response, 'headers'])
    const names = new Map(Object.keys(documented).map((name) => [name.toLowerCase(), name]))
    return TELLING_HEADERS.filter((name) => headers[name] !== undefined).flatMap((lowerCase) => {
      const name = names.get(lowerCase)
      // Express gives every response an ETag; only a GET is sent with one.
      if (name === undefined) return lowerCase === 'etag' ? [] : [`the header ${lowerCase} is not documented`]
      const schema = [...this.#resolve([...response, 'headers', name]), 'schema']
      const value = String(headers[lowerCase])
      return this.#schemaProblems(schema, this.#at(schema).type === 'integer' ? Number(value) : value)
    })
  }

  #bodyProblems(response: readonly string[], answer: Answer): string[] {
    const content = this.#at([...response, 'content'])
    if (Object.keys(content).length === 0) return answer.text === '' ? [] : ['a body is not documented']
    const type = String(answer.headers['content-type']).split(';')[0] ?? ''
    if (!(type in content)) return [`the content type ${type} is not documented`]
    const value: unknown = JSON.parse(decoded(answer))
    return this.#schemaProblems([...response, 'content', type, 'schema'], value)
  }

  #schemaProblems(pointer: readonly string[], value: unknown): string[] {
    const fragment = pointer
      .map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')))
      .join('/')
    const validate = this.#validator(`openapi.json#/${fragment}`)
    return validate(value)
      ? []
      : (validate.errors ?? []).map((error) => `${error.instancePath} ${error.message}`)
  }

  #validator($ref: string): ValidateFunction {
    const known = this.#validators.get($ref) ?? this.#ajv.compile({ $ref })
    this.#validators.set($ref, known)
    return known
  }

  /** Where the rules lead a path. What comes ahead of them, and the login, they do not change. */
  #behindRules(path: string): string {
    if (/^\/(auth\/login|__rules|api\/users\.php|__sandbox\b)/.test(path)) return path
    // The rules look at the URL alone.
    const request: HttpRequest = Object.create({ url: path })
    this.#rewrite(request, Object.create(null))
    return request.url
  }

  /** Where the operation stands; a path without placeholders goes before one with them. */
  #operation(method: string, path: string): string[] | undefined {
    return this.#templates
      .filter(({ pattern }) => pattern.test(path))
      .map(({ template }) => ['paths', template, method])
      .find((pointer) => method in this.#at(pointer.slice(0, -1)))
  }

  /** The object at this place, or an empty one. */
  #at(pointer: readonly string[]): Record<string, unknown> {
    let value: unknown = this.#document
    for (const part of pointer) value = isRecord(value) ? value[part] : undefined
    return isRecord(value) ? value : {}
  }

  /** This place, or the one that it refers to. */
  #resolve(pointer: readonly string[]): readonly string[] {
    const { $ref } = this.#at(pointer)
    return typeof $ref === 'string' ? $ref.split('/').slice(1) : pointer
  }
}

/** The same document for records that have been sent since, which may lack what each loaded record had. */
function withOptionalFields(document: object): object {
  const copy: unknown = structuredClone(document)
  const components = isRecord(copy) && isRecord(copy.components) ? copy.components : {}
  const schemas = isRecord(components.schemas) ? components.schemas : {}
  for (const [name, schema] of Object.entries(schemas))
    if (isRecord(schema) && `${name}Input` in schemas) delete schema.required
  return isRecord(copy) ? copy : {}
}

function decoded({ headers, bytes }: Answer): string {
  switch (headers['content-encoding']) {
    case 'br':
      return brotliDecompressSync(bytes).toString()
    case 'gzip':
    case 'deflate':
      return unzipSync(bytes).toString()
    default:
      return bytes.toString()
  }
}

function pattern(template: string): RegExp {
  const parts = template.split(/\{[^{}]*\}/).map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${parts.join('[^/]+')}$`)
}

/** Expects a response to be as the server's document says, and the request to be in it. */
export function expectDocumented(contract: Contract, question: Question, answer: Answer): void {
  const { method = 'GET', path } = question
  expect({ method, path, problems: contract.problems(question, answer) }).toEqual({
    method,
    path,
    problems: [],
  })
}

const key = randomSigningKey()

/** What the services of every server with this data say of themselves. */
function servicesWith(data: Data) {
  return servicesOf([
    userLookup(),
    login({ key, users: () => [] }),
    publicReads({ source: { records: () => [], find: () => {}, onReload: () => {}, revision: () => 0 } }),
    whoAmI({
      known: () => ({ users: [], logins: [], idProperty: 'id' }),
      visitors: new Visitors({ key, clock: Date.now, allowed: [] }),
      isTaken: () => Object.hasOwn(data, 'auth'),
    }),
  ])
}

type DocumentSettings = DocumentOptions & ResourceOptions

const SETTINGS: Omit<DocumentSettings, 'services'> = {
  title: 'test',
  publicCollection: 'blogs',
  allowed: [],
  live: false,
  readOnly: false,
  additions: [],
  idProperty: 'id',
  foreignKeySuffix: 'Id',
  tokenLifetime: 3600,
  shownLogin: { email: '', password: '' },
  hasLogins: false,
}

/** The document of a server with this data, as JSON gives it back. */
export function documentOf(
  data: Data,
  rules: RewriteRules = NO_RULES,
  settings: Partial<DocumentSettings> = {},
): OpenApiDocument {
  const services = () => servicesWith(data).map(({ operations }) => operations)
  const all = { ...SETTINGS, services, ...settings }
  const resources = describeResources(data, all)
  return JSON.parse(JSON.stringify(makeDocument(resources, rules, all)))
}

/** The methods that a document can have. */
export const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const

interface Parameter {
  readonly name: string
  readonly in: string
  readonly description: string
  readonly schema: Record<string, unknown>
}

/** The parameters of the GET of a path, each once, from the components that it refers to. */
export function parametersOf({ paths, components }: OpenApiDocument, path: string): Parameter[] {
  const item = paths[path]
  const found = [item?.parameters, item?.get?.parameters]
    .flatMap((parameters) => parameters ?? [])
    .map((parameter): unknown =>
      '$ref' in parameter ? components.parameters[String(parameter.$ref).replace(/.*\//, '')] : parameter,
    )
  return [...new Set(found)].filter(isParameter)
}

function isParameter(value: unknown): value is Parameter {
  return isRecord(value) && typeof value.name === 'string' && isRecord(value.schema)
}

/** Validates OpenAPI documents and lints them, for the tests of one file. */
export class OpenApiValidator {
  readonly #worker = new Worker(path.join(__dirname, 'validate-worker.mjs'))
  readonly #waiting = new Map<number, (problems: unknown) => void>()
  #last = 0

  constructor() {
    this.#worker.on('message', (message: unknown) => {
      if (!isRecord(message) || typeof message.id !== 'number') return
      this.#waiting.get(message.id)?.(message.problems)
      this.#waiting.delete(message.id)
    })
  }

  /** The errors in a document, warnings included; an empty array if there are none. */
  problems(document: unknown): Promise<unknown> {
    this.#last += 1
    const id = this.#last
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve)
      this.#worker.postMessage({ id, text: JSON.stringify(document) })
    })
  }

  async close(): Promise<void> {
    await this.#worker.terminate()
  }
}
