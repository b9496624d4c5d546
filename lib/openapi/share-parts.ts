import { STATUS_CODES } from 'node:http'
import { mapValues } from './map-values'
import { pascalCase, UniqueNames } from './names'
import type {
  Header,
  Operation,
  Parameter,
  PathItem,
  Reference,
  RequestBody,
  Response,
  Schema,
  SharedOperation,
  SharedParts,
} from './types'

/** Moves the parts of all operations into components: most of them appear many times. */
export function shareParts(paths: Readonly<Record<string, PathItem>>): {
  paths: Record<string, PathItem<SharedOperation>>
  components: SharedParts
} {
  const parameters = new Section<Parameter>('parameters')
  const requestBodies = new Section<RequestBody>('requestBodies')
  const responses = new Section<unknown>('responses')
  const headers = new Section<Header>('headers')
  const shareHeaders = (response: Response): unknown =>
    response.headers === undefined
      ? response
      : { ...response, headers: mapValues(response.headers, headers.share) }
  const share = ({ parameters: own, requestBody, responses: all, ...head }: Operation): SharedOperation => {
    const name = pascalCase(head.operationId)
    return {
      ...head,
      ...(own && { parameters: own.map((parameter) => parameters.share(parameter, parameter.name)) }),
      ...(requestBody && { requestBody: requestBodies.share(requestBody, name) }),
      responses: mapValues(all, (response, status) => {
        const wanted = status.startsWith('2') ? name : pascalCase(STATUS_CODES[status] ?? '')
        return responses.share(shareHeaders(response), wanted)
      }),
    }
  }
  // A part is named after the first operation that has it, and the shortest path is the simplest.
  const plainestFirst = Object.entries(paths).sort(([one], [other]) => one.length - other.length)
  const shared = Object.fromEntries(plainestFirst.map(([path, item]) => [path, mapValues(item, share)]))
  return {
    paths: mapValues(paths, (_item, path) => shared[path] ?? {}),
    components: {
      parameters: parameters.parts,
      requestBodies: requestBodies.parts,
      responses: responses.parts,
      headers: headers.parts,
    },
  }
}

/** One kind of components: equal parts are there only once. */
class Section<Part> {
  readonly parts: Record<string, Part> = {}
  readonly #names = new UniqueNames()
  readonly #known = new Map<string, Reference>()

  constructor(private readonly kind: string) {}

  readonly share = (part: Part, wanted: string): Reference => {
    const content = JSON.stringify(part)
    const known = this.#known.get(content)
    if (known !== undefined) return known
    const name = this.#names.take(wanted.replace(/[^\w.-]/g, '') || 'other')
    const reference = { $ref: `#/components/${this.kind}/${name}` }
    this.parts[name] = part
    this.#known.set(content, reference)
    return reference
  }
}

/** The schemas that the document refers to, directly or by another one. */
export function onlyUsed(
  document: unknown,
  schemas: Readonly<Record<string, Schema>>,
): Record<string, Schema> {
  const used: Record<string, Schema> = {}
  const open = [document]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const [, name = ''] of JSON.stringify(next).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)) {
      const schema = schemas[name]
      if (schema === undefined || Object.hasOwn(used, name)) continue
      used[name] = schema
      open.push(schema)
    }
  }
  return used
}
