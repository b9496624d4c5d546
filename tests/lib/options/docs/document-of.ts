import type { AccountOptions } from '../../../../lib/accounts/account-options'
import { readAccountSettings } from '../../../../lib/accounts/account-settings'
import { type DescribedServer, describeAccounts } from '../../../../lib/accounts/describe-accounts'
import type { Data } from '../../../../lib/data/valid-data'
import { type DocumentOptions, makeDocument } from '../../../../lib/options/docs/document'
import { describePublicReads } from '../../../../middlewares/public-reads'
import { describeUserLookup } from '../../../../middlewares/user-lookup'

/** An operation as the document has it. */
interface Operation {
  operationId: string
  summary: string
  description?: string
  parameters?: unknown[]
  requestBody?: unknown
  security: Record<string, string[]>[]
  responses: Record<string, unknown>
}

export type OpenApiDocument = Omit<ReturnType<typeof makeDocument>, 'paths'> & {
  paths: Record<string, Record<string, Operation>>
}

const OPTIONS = {
  title: 'test',
  rules: {},
  publicCollection: 'blogs',
  allowed: () => [],
  readOnly: false,
  sandboxHeader: undefined,
  severalAtOnce: true,
  nested: true,
  openid: false,
  idProperty: 'id',
  foreignKeySuffix: 'Id',
  tokenRefusal: undefined,
} satisfies Partial<DocumentOptions>

/** The document of a server with this data, as JSON gives it back. */
export function documentOf(
  data: Data,
  options: Partial<DocumentOptions> = {},
  { logins = [], ...accounts }: AccountOptions & Partial<Pick<DescribedServer, 'logins'>> = {},
): OpenApiDocument {
  const given = { ...OPTIONS, ...options }
  const { publicCollection: collection, readOnly } = given
  const described = [
    describeAccounts(readAccountSettings(accounts), { logins, readOnly }),
    ...(collection === false ? [] : [describePublicReads(collection, false)]),
    describeUserLookup,
  ]
  return JSON.parse(JSON.stringify(makeDocument(data, { described, ...given })))
}
