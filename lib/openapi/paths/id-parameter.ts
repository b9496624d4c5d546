import type { DocumentContext } from '../context'
import type { Resource } from '../resources/resource-model'
import { isSecretName } from '../resources/secrets'
import type { Parameter } from '../types'

/** What an id in a path can be. Of mixed types a client may have either in hand. */
const IN_PATHS: ReadonlySet<string> = new Set(['integer', 'number', 'string'])

/** The id of a record in a path, with that of the first record as an example. */
export function idParameter({ name, id, example }: Resource, { idProperty }: DocumentContext): Parameter {
  const first = isSecretName(idProperty) ? undefined : example?.[idProperty]
  const types = [id.type ?? []].flat().filter((type) => IN_PATHS.has(type))
  return {
    name: 'id',
    in: 'path',
    required: true,
    description: `The id of a record of ${name}.`,
    schema: { type: types.length === 1 ? types[0] : types },
    ...((typeof first === 'string' || typeof first === 'number') && { example: first }),
  }
}
