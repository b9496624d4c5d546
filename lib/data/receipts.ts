import { isRecord } from '../is-record'
import { DataError } from './valid-data'

/** How many servers are remembered: each start is another one. */
const MOST_SERVERS = 500

/**
 * The number of each server's last write, by which it learns whether a write has arrived to which it got no
 * reply, also when others have written since.
 */
export type Receipts = Readonly<Record<string, unknown>>

/**
 * @param receipts what is kept beside the text
 * @param name names the store at the start of the error's sentence
 * @throws DataError when it is not what was written there
 */
export function readReceipts(receipts: unknown, name: string): Receipts {
  if (receipts === '') return {}
  try {
    const read: unknown = JSON.parse(String(receipts))
    if (isRecord(read)) return read
  } catch {}
  throw new DataError(
    `${name} gives receipts that no server has written: ` +
      `its "begin" must give those of the last "write", and '' before the first.`,
  )
}

/** The receipts with another one, which is the last, as they are kept. */
export function withReceipt(receipts: Receipts, server: string, number: number): string {
  const others = Object.entries(receipts).filter(([name]) => name !== server)
  return JSON.stringify(Object.fromEntries([...others.slice(1 - MOST_SERVERS), [server, number]]))
}
