/** How many records of a collection are looked at, from its first to its last. */
const MOST_RECORDS = 1000
/** How many characters a text in an example may have: some are pictures. */
const LONGEST_TEXT = 300

/** Some of these records as clients see them, from the first to the last. */
export function sampleOf(records: readonly unknown[]): unknown[] {
  const step = Math.ceil(records.length / MOST_RECORDS)
  return records.filter((_record, index) => index % step === 0).map(asSent)
}

/** What JSON makes of a value: a source in JavaScript may have dates and functions. */
function asSent(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value) ?? 'null')
}

/** A record with its texts shortened for a reader. */
export function shortened(record: object): Record<string, unknown> {
  return JSON.parse(
    JSON.stringify(record, (_name, value) =>
      typeof value === 'string' ? value.slice(0, LONGEST_TEXT) : value,
    ),
  )
}
