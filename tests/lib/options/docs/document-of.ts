import { LOGIN_PATH, WHO_AM_I_PATH } from '../../../../lib/auth/access-policy'
import type { Data } from '../../../../lib/data/valid-data'
import { type DocumentOptions, makeDocument } from '../../../../lib/options/docs/document'

export type OpenApiDocument = ReturnType<typeof makeDocument>

const OPTIONS: DocumentOptions = {
  title: 'test',
  publicCollection: 'blogs',
  allowed: [],
  live: false,
  readOnly: false,
  cascade: true,
  sandboxes: false,
  idProperty: 'id',
  foreignKeySuffix: 'Id',
  tokenLifetime: 3600,
  accounts: [
    { method: 'POST', path: LOGIN_PATH, does: 'logIn' },
    { method: 'GET', path: WHO_AM_I_PATH, does: 'whoAmI' },
  ],
  shownLogin: { email: '', password: '' },
  hasLogins: false,
}

/** The document of a server with this data, as JSON gives it back. */
export function documentOf(data: Data, options: Partial<DocumentOptions> = {}): OpenApiDocument {
  return JSON.parse(JSON.stringify(makeDocument(data, { ...OPTIONS, ...options })))
}
