import { randomSigningKey } from '../../../../lib/auth/access-token'
import { servicesOf } from '../../../../lib/auth/service'
import { Visitors } from '../../../../lib/auth/visitors'
import type { Data } from '../../../../lib/data/valid-data'
import { NO_RULES, type RewriteRules } from '../../../../lib/http/rewrite-rules'
import { isRecord } from '../../../../lib/is-record'
import { type DocumentOptions, makeDocument } from '../../../../lib/options/docs/document'
import { describeResources, type ResourceOptions } from '../../../../lib/options/docs/resources'
import { login } from '../../../../middlewares/login'
import { publicReads } from '../../../../middlewares/public-reads'
import { userLookup } from '../../../../middlewares/user-lookup'
import { whoAmI } from '../../../../middlewares/who-am-i'

export type OpenApiDocument = ReturnType<typeof makeDocument>

const key = randomSigningKey()

/** What the services of every server with this data say of themselves. */
function servicesWith(data: Data) {
  return servicesOf([
    userLookup(),
    login({ key, users: () => [] }),
    publicReads({ source: { records: () => [], find: () => {}, loaded: () => [] } }),
    whoAmI({
      users: () => [],
      logins: [],
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
