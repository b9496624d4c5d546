import type { ErrorObject } from 'ajv'
import type { StoredRecord } from '../../json-server/collection-index'
import type { Problem } from '../../json-server/record-refusal'
import type { RecordSchema } from './compile'
import { inPatternTime, SlowPattern } from './patterns'
import { fieldProblem, slowProblem } from './sentences'

/** How long a record can be, as JSON, of which all errors are looked for: of a longer one, the first is. */
const LONGEST_EXPLAINED = 100_000

/** How many of them are said. */
const MOST_PROBLEMS = 100

/** What is wrong with a record. */
interface Misfit {
  readonly problems: readonly Problem[]
  /** Whether it may be wrong elsewhere, too. */
  readonly isFirst: boolean
}

/** What is wrong with a record, as JSON has it. */
export function misfit(record: StoredRecord, { shape, isSlow, findAll, findFirst }: RecordSchema): Misfit {
  const text = JSON.stringify(record)
  const isFirst = text.length > LONGEST_EXPLAINED
  const find = isFirst ? findFirst : findAll
  const value: unknown = JSON.parse(text)
  let errors: readonly ErrorObject[]
  try {
    errors = isSlow ? inPatternTime(() => find(value), text.length) : find(value)
  } catch (error) {
    if (!(error instanceof SlowPattern)) throw error
    return { problems: [slowProblem(pathTo(value, error.text) ?? [], shape)], isFirst: true }
  }
  const problems: Problem[] = []
  for (const error of errors) {
    const problem = problems.length < MOST_PROBLEMS ? fieldProblem(error, shape) : undefined
    if (problem !== undefined) problems.push(problem)
  }
  if (errors.length > 0 && problems.length === 0)
    problems.push({ field: '', message: 'the record does not fit' })
  return { problems, isFirst }
}

/** The path to a text, or to a field of that name. */
function pathTo(value: unknown, text: string): string[] | undefined {
  if (value === text) return []
  if (typeof value !== 'object' || value === null) return undefined
  for (const [name, part] of Object.entries(value)) {
    const rest = name === text ? [] : pathTo(part, text)
    if (rest !== undefined) return [name, ...rest]
  }
  return undefined
}
