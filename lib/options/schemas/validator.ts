import { isRecord } from '../../is-record'
import { SafePattern } from './patterns'

/** JSON of a value, in which the order of fields does not matter. */
export function comparable(value: unknown): string {
  return JSON.stringify(value, (_name, part: unknown) =>
    isRecord(part)
      ? Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1)))
      : part,
  )
}

/** ajv, as it is used here. */
export type Validator = ReturnType<typeof makeValidator>

/** What compiles schemas of JSON Schema 2020-12. ajv is loaded with the first: that takes as long as all of json-server. */
export function makeValidator({ allErrors }: { allErrors: boolean }) {
  const { Ajv2020 }: typeof import('ajv/dist/2020') = require('ajv/dist/2020')
  const { default: addFormats }: typeof import('ajv-formats') = require('ajv-formats')
  const regExp = Object.assign((pattern: string, flags: string) => new SafePattern(pattern, flags), {
    // Only code that is written to a file would need another one.
    code: 'new RegExp',
  })
  const ajv = new Ajv2020({
    allErrors,
    // What is not known is looked for by ourselves, to say where it stands and what was meant.
    strict: false,
    validateSchema: false,
    logger: false,
    // A record has no field `constructor` but its own.
    ownProperties: true,
    code: { regExp },
  })
  // The time that their expressions take grows with the text alone; dates are those of the calendar.
  addFormats(ajv, { mode: 'fast' })
  addFormats(ajv, { mode: 'full', formats: ['date', 'time', 'date-time'] })
  // For 20 kB, that of ajv-formats takes a second.
  ajv.addFormat('url', (text: string) => /^(?:https?|ftp):\/\//i.test(text) && URL.canParse(text))
  // ajv's own compares each element with each other.
  ajv.removeKeyword('uniqueItems')
  ajv.addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    validate: (isOn: boolean, list: readonly unknown[]) =>
      !isOn || new Set(list.map(comparable)).size === list.length,
  })
  ajv.addKeyword({ keyword: 'unique' })
  return ajv
}

let ofSchemas: Validator | undefined

/** What looks at schemas themselves: to make it takes 50 ms, so that there is one for all. */
export function schemaValidator(): Validator {
  ofSchemas ??= makeValidator({ allErrors: true })
  return ofSchemas
}
