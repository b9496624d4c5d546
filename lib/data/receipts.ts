import { isRecord } from '../is-record'

/** How many servers are remembered: each start is another one. */
const MOST_SERVERS = 500

/**
 * The number of a server's last write, by which it learns whether a write has arrived to which it got no
 * reply, also when others have written since.
 *
 * @param receipts what is kept beside the text
 * @throws SyntaxError or TypeError when it is not what was written there
 */
export function lastWriteOf(server: string, receipts: string): unknown {
  return readReceipts(receipts)[server]
}

/** The receipts with another one, which is the last. */
export function withReceipt(receipts: string, server: string, number: number): string {
  const others = Object.entries(readReceipts(receipts)).filter(([name]) => name !== server)
  return JSON.stringify(Object.fromEntries([...others.slice(1 - MOST_SERVERS), [server, number]]))
}

function readReceipts(receipts: string): Record<string, unknown> {
  const read: unknown = receipts === '' ? {} : JSON.parse(receipts)
  if (!isRecord(read)) throw new TypeError('The receipts are not those that were written')
  return read
}
