import { NO_RULES, RULES_PATH } from '../../../http/rewrite-rules'
import type { PathEntry } from '../../docs-addition'
import type { DocumentContext } from '../context'
import { TAGS } from '../names'
import { shared } from '../responses'
import { ANY_OBJECT, json } from '../types'

/** The pages about the server: its whole data and its rewrite rules, if it has any. */
export function serverPaths({ rules }: DocumentContext): PathEntry[] {
  const page = (path: string, name: string, what: string, description: string): PathEntry => [
    path,
    {
      get: {
        operationId: `get${name}`,
        tags: [TAGS.server],
        summary: `Get ${what}`,
        responses: {
          200: { description, content: json(ANY_OBJECT, {}) },
          304: shared('notModified'),
        },
      },
    },
  ]
  const data = page('/db', 'Database', 'the whole data', 'All resources by name.')
  const meaning = 'From the path of a request to the path that the router knows.'
  return rules === NO_RULES ? [data] : [data, page(RULES_PATH, 'RewriteRules', 'the rewrite rules', meaning)]
}
