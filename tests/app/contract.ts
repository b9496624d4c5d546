import { brotliDecompressSync, unzipSync } from 'node:zlib'
import { Ajv2020, type Options, type ValidateFunction } from 'ajv/dist/2020'
import addFormats from 'ajv-formats'
import type { HttpRequest } from '../../lib/http/handler'
import {
  compileRules,
  NO_RULES,
  prefixOf,
  type Rewrite,
  type RewriteRules,
} from '../../lib/http/rewrite-rules'
import { isRecord } from '../../lib/is-record'
import { type Answer, ask, json, type Question } from '../support/http'

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
  /** What stands in front of the paths of resources in the document. */
  readonly #prefix: string
  readonly #ajv = new Ajv2020(OPTIONS)
  /** Compiling a schema takes longer than a request. */
  readonly #validators = new Map<string, ValidateFunction>()
  /** The paths, those with fewest placeholders first. */
  readonly #templates: { template: string; pattern: RegExp }[]

  private constructor(document: object, rules: RewriteRules) {
    this.#document = document
    this.#rewrite = compileRules(rules)
    this.#prefix = prefixOf(rules)
    this.#templates = Object.keys(this.#at(['paths']))
      .sort((one, other) => one.split('{').length - other.split('{').length)
      .map((template) => ({ template, pattern: pattern(template) }))
    addFormats.default(this.#ajv)
    this.#ajv.addSchema(withOptionalFields(document), 'openapi.json')
  }

  /**
   * Asks a server with `--docs` for its document.
   *
   * @param rules those of the server: the document describes the paths that they lead to
   */
  static async of(url: string, rules: RewriteRules = NO_RULES): Promise<Contract> {
    const document = json(await ask(url, { path: '/openapi.json' }))
    if (!isRecord(document)) throw new Error(`${url}/openapi.json is no object.`)
    return new Contract(document, rules)
  }

  /** What the document does not say of a response, or of the request itself. */
  problems({ method = 'GET', path, headers = {} }: Question, answer: Answer): string[] {
    const sent = new Set(Object.keys(headers).map((name) => name.toLowerCase()))
    const [pathname = ''] = this.#rewritten(path).split('?')
    const key = method === 'HEAD' ? 'get' : method.toLowerCase()
    const pointer = this.#operation(key, this.#prefix + pathname) ?? this.#operation(key, pathname)
    if (pointer === undefined) return ['the request is not documented']
    const problems: string[] = []
    const operation = this.#at(pointer)
    const ways = Array.isArray(operation.security) ? operation.security : []
    const isProtected = ways.length > 0 && ways.every((way) => isRecord(way) && 'bearerAuth' in way)
    if (isProtected && !sent.has('authorization') && answer.status !== 401)
      problems.push('succeeded without a token')
    const responses = this.#at([...pointer, 'responses'])
    // A 304 is part of HTTP, and no document lists it.
    if (answer.status === 304) return problems
    const status = [String(answer.status), 'default'].find((key) => key in responses)
    if (status === undefined) return [...problems, `the status ${answer.status} is not documented`]
    if (answer.status < 300 && status === 'default')
      problems.push(`the success ${answer.status} is not documented`)
    const response = this.#resolve([...pointer, 'responses', status])
    if (method !== 'HEAD') problems.push(...this.#bodyProblems(response, answer))
    return problems
  }

  #bodyProblems(response: readonly string[], answer: Answer): string[] {
    const content = this.#at([...response, 'content'])
    if (Object.keys(content).length === 0) return answer.text === '' ? [] : ['a body is not documented']
    const type = String(answer.headers['content-type']).split(';')[0] ?? ''
    if (!(type in content)) return [`the content type ${type} is not documented`]
    const text = decoded(answer)
    const value: unknown = type.endsWith('json') ? JSON.parse(text) : text
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
    const validate = this.#validators.get($ref) ?? this.#ajv.compile({ $ref })
    this.#validators.set($ref, validate)
    return validate
  }

  /** Where the rules lead a path. What comes ahead of them, and the login, they do not change. */
  #rewritten(path: string): string {
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
