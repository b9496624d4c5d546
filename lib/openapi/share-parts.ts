import { STATUS_CODES } from 'node:http'
import { pascalCase, UniqueNames } from './names'
import type {
  Header,
  Operation,
  Parameter,
  PathItem,
  Reference,
  RequestBody,
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
  const share = ({ parameters: own, requestBody, responses: all, ...head }: Operation): SharedOperation => {
    const name = pascalCase(head.operationId)
    return {
      ...head,
      ...(own && { parameters: own.map((parameter) => parameters.share(parameter.name, parameter)) }),
      ...(requestBody && { requestBody: requestBodies.share(name, requestBody) }),
      responses: mapValues(all, (response, status) =>
        responses.share(status.startsWith('2') ? name : pascalCase(STATUS_CODES[status] ?? ''), {
          ...response,
          ...(response.headers && {
            headers: mapValues(response.headers, (header, key) => headers.share(key, header)),
          }),
        }),
      ),
    }
  }
  // The shortest path is the plainest: its operation gives a part the name.
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

/** One kind of components: what is the same stands there once. */
class Section<Part> {
  readonly parts: Record<string, Part> = {}
  readonly #names = new UniqueNames()
  readonly #known = new Map<string, Reference>()
  readonly #kind: string

  constructor(kind: string) {
    this.#kind = kind
  }

  share(wanted: string, part: Part): Reference {
    const text = JSON.stringify(part)
    const known = this.#known.get(text)
    if (known !== undefined) return known
    const name = this.#names.take(wanted.replace(/[^\w.-]/g, '') || 'other')
    const reference = { $ref: `#/components/${this.#kind}/${name}` }
    this.parts[name] = part
    this.#known.set(text, reference)
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

function mapValues<Value, Result>(
  record: Readonly<Record<string, Value>>,
  change: (value: Value, key: string) => Result,
): Record<string, Result> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value, key)]))
}
