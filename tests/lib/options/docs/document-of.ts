import { LOGIN_PATH, WHO_AM_I_PATH } from '../../../../lib/auth/access-policy'
import { PersonFields } from '../../../../lib/auth/person-fields'
import type { Data } from '../../../../lib/data/valid-data'
import { type DocumentOptions, makeDocument } from '../../../../lib/options/docs/document'

/** An operation as the document has it. */
interface Operation {
  operationId: string
  summary: string
  parameters?: unknown[]
  requestBody?: unknown
  security: Record<string, string[]>[]
  responses: Record<string, unknown>
}

export type OpenApiDocument = Omit<ReturnType<typeof makeDocument>, 'paths'> & {
  paths: Record<string, Record<string, Operation>>
}

const OPTIONS: DocumentOptions = {
  title: 'test',
  publicCollection: 'blogs',
  allowed: [],
  live: false,
  readOnly: false,
  sandboxes: false,
  idProperty: 'id',
  foreignKeySuffix: 'Id',
  accounts: [
    { method: 'POST', path: LOGIN_PATH, does: 'logIn' },
    { method: 'GET', path: WHO_AM_I_PATH, does: 'whoAmI' },
  ],
  loginUsers: 'users',
  personFields: new PersonFields(),
  logins: [],
  refusalBody: undefined,
}

/** The document of a server with this data, as JSON gives it back. */
export function documentOf(data: Data, options: Partial<DocumentOptions> = {}): OpenApiDocument {
  return JSON.parse(JSON.stringify(makeDocument(data, { ...OPTIONS, ...options })))
}
