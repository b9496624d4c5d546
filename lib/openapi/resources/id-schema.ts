import type { Schema } from '../types'
import { inferSchema } from './infer-schema'

/**
 * The ids of a collection, those to come included: the router numbers on where all ids are numbers, makes a text where
 * they are not, and takes either into an empty collection.
 */
export function idSchema(ids: readonly unknown[]): Schema {
  const { type } = inferSchema(ids, true)
  if (type === 'string' || type === 'integer' || type === 'number') return { type }
  const types = [type ?? []].flat()
  // JSON Schema counts integers among the numbers.
  return { type: [...new Set([...types, types.includes('number') ? 'number' : 'integer', 'string'])] }
}
