import { WHO_AM_I_PATH } from '../../../auth/access-policy'
import { ALL } from '../../../auth/allow-rules'
import { LOGIN_FIELDS } from '../../../auth/credentials'
import type { PathEntry, Schema } from '../../docs-addition'
import type { DocumentContext } from '../context'
import { TAGS } from '../names'
import { json, NEEDS_TOKEN, referTo } from '../types'

const [NAME] = LOGIN_FIELDS

/** A login that is not in the data. */
const LOGIN_ONLY: Schema = {
  type: 'object',
  properties: { [NAME]: { type: 'string' } },
  required: [NAME],
}

/** The user whose token a request carries; not where the data has a resource with these paths. */
export function whoAmIPaths({ resources, allowed, hasLogins }: DocumentContext): PathEntry[] {
  if (resources.some(({ name }) => name === 'auth')) return []
  const users = resources.find(({ name, kind }) => name === 'users' && kind === 'collection')
  const stored = users && referTo('schemas', users.schemaName)
  return [
    [
      WHO_AM_I_PATH,
      {
        get: {
          operationId: 'whoAmI',
          tags: [TAGS.login],
          summary: 'Get the user who is logged in',
          ...(hasLogins && {
            description: `A record of users, or only the ${NAME} of a login that is not in the data.`,
          }),
          // Even where all other requests need none.
          ...(allowed === ALL && { security: NEEDS_TOKEN }),
          responses: {
            200: {
              description: 'The user whose token the request carries.',
              content: json(stored && hasLogins ? { anyOf: [stored, LOGIN_ONLY] } : (stored ?? LOGIN_ONLY)),
            },
            404: { description: 'This user no longer exists.', content: json({ type: 'object' }, {}) },
          },
        },
      },
    ],
  ]
}
