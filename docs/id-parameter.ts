import type { DocumentContext } from './document-context'
import type { Parameter } from './openapi'
import type { Resource } from './resource-model'
import { isSecretName } from './secrets'

/** The id of a record in a path, with that of the first record as an example. */
export function idParameter({ name, id, example }: Resource, { idProperty }: DocumentContext): Parameter {
  const first = isSecretName(idProperty) ? undefined : example?.[idProperty]
  // An id of mixed types is a text in a path.
  const type = id.type === 'integer' || id.type === 'number' ? id.type : 'string'
  return {
    name: 'id',
    in: 'path',
    required: true,
    description: `The id of a record of ${name}.`,
    schema: { type },
    ...((typeof first === 'string' || typeof first === 'number') && {
      example: type === 'string' ? String(first) : first,
    }),
  }
}
