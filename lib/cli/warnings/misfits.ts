import { misfitsIn } from '../../options/schemas/misfits'
import { readSchemas } from '../../options/schemas/schema-rules'
import type { Warnings } from './sentences'

/** What records do not fit that are there already. */
export const misfits: Warnings = ({ settings, state, schemas }) =>
  schemas === undefined ? [] : misfitsIn(state, readSchemas({ ...settings, schemas }))
