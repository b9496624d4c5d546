import { isRecord } from '../../is-record'
import { fieldNamesOf } from '../../json-server/collection-index'
import { nearestName } from '../../nearest-name'
import { without } from './fields'
import { misfit } from './record-problems'
import type { SchemaSettings } from './schema-rules'
import { takenProblem } from './sentences'
import { isValueTaken } from './taken-values'

/** How many records of a collection are looked at in the start, and for how many milliseconds: 100,000 would take 0.4 s. */
const MOST_LOOKED_AT = 10_000
const TIME = 250

/**
 * A sentence for each schema that is that of nothing, that records do not fit which are there already, or whose `unique` names
 * a field that is nowhere.
 */
export function misfitsIn(data: Readonly<Record<string, unknown>>, settings: SchemaSettings): string[] {
  return [...settings.schemas.keys()].flatMap((name) => {
    if (Object.hasOwn(data, name))
      return [...unknownFields(name, data[name], settings), ...misfitsOf(name, data[name], settings)]
    const nearest = nearestName(name, Object.keys(data))
    const meant = nearest === undefined ? '.' : `: did you mean "${nearest}"?`
    return [`The schema of "${name}" changes nothing, because the data has no "${name}"${meant}`]
  })
}

/** A sentence for each field in `unique` that neither a record nor the schema has. */
function unknownFields(name: string, content: unknown, { schemas, ownFieldsOf }: SchemaSettings): string[] {
  const schema = schemas.get(name)
  // The first record may bring any field.
  if (schema === undefined || !Array.isArray(content) || content.length === 0) return []
  const own = [...schema.shape.fields, ...ownFieldsOf(name)]
  const isThere = (field: string) =>
    own.includes(field) || content.some((record) => isRecord(record) && Object.hasOwn(record, field))
  return [...new Set(schema.unique.flat())]
    .filter((field) => !isThere(field))
    .map((field) => {
      const nearest = nearestName(field, [...own, ...fieldNamesOf(content)])
      const advice = nearest === undefined ? 'check its name.' : `did you mean "${nearest}"?`
      return `"unique" in the schema of "${name}" names "${field}", which neither a record nor the schema has: ${advice}`
    })
}

function misfitsOf(
  name: string,
  content: unknown,
  { schemas, idProperty, ownFieldsOf }: SchemaSettings,
): string[] {
  const schema = schemas.get(name)
  if (schema === undefined) return []
  const isCollection = Array.isArray(content)
  const records = [content].flat().slice(0, MOST_LOOKED_AT).filter(isRecord)
  const end = performance.now() + TIME
  let count = 0
  const wrong = records.flatMap((record) => {
    if (performance.now() > end) return []
    count += 1
    const taken = schema.unique.filter(
      (fields) => isCollection && isValueTaken(record, fields, content, record),
    )
    const [problem = taken[0] && takenProblem(taken[0], schema.shape)] = misfit(
      without(record, ownFieldsOf(name)),
      schema,
    ).problems
    return problem === undefined ? [] : [{ record, problem }]
  })
  const [first] = wrong
  if (first === undefined) return []
  const which = isCollection ? `${wrong.length} of ${count} records of "${name}"` : `"${name}"`
  const id = isCollection ? ` (${idProperty} ${JSON.stringify(first.record[idProperty])})` : ''
  return [`${which} ${wrong.length > 1 ? 'do' : 'does'} not fit the schema${id}: ${first.problem.message}.`]
}
