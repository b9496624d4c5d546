import { setTimeout as sleep } from 'node:timers/promises'
import { isRecord } from '../lib/is-record'
import { putLoad } from './load'
import type { Kind, RequestSpec, Row } from './rows'
import { ask, type Server, startServer } from './server'

/** How long it all takes. */
interface Pace {
  rounds: number
  /** Milliseconds of load in each measurement. A third as much before it is not counted. */
  duration: number
}

/**
 * Values by contestant, one a round: responses per second, or for a time its inverse. Always: more is faster.
 */
export type Rates = Partial<Record<Kind, number[]>>

/** A measurement may add or remove this share of the records. */
const LARGEST_DRIFT = 0.1

/**
 * Milliseconds in which a server ends what it does after its last response: json-server writes its file only
 * then.
 */
const SETTLING_TIME = 100

/**
 * Measures all contestants once, and then all again: what disturbs the machine for a while disturbs all of
 * them.
 */
export async function measure(row: Row, kinds: readonly Kind[], { rounds, duration }: Pace): Promise<Rates> {
  const rates: Rates = {}
  const add = (kind: Kind, rate: number): void => {
    rates[kind] = [...(rates[kind] ?? []), rate]
  }
  if (row.measured === 'start' || row.measured === 'first change') {
    for (let round = 0; round < rounds; round += 1)
      for (const kind of kinds) add(kind, await measureStart(row, kind))
    return rates
  }
  const servers = await Promise.all(kinds.map((kind) => startServer(kind, row.size)))
  try {
    const loads = servers.map((server) => loadOn(server, row))
    for (const server of servers) await check(server, row)
    for (let round = 0; round < rounds; round += 1) {
      for (const [index, { kind }] of servers.entries()) {
        await loads[index]?.(duration / 3)
        const work = () => loads[index]?.(duration)
        const rate = await (row.measured === 'processor time'
          ? perProcessorTime(servers[index], work)
          : work())
        if (rate !== undefined) add(kind, rate)
        await sleep(SETTLING_TIME)
      }
    }
  } finally {
    await Promise.all(servers.map((server) => server.end()))
  }
  return rates
}

/** The responses per second of processor time, from those per second. */
async function perProcessorTime(
  server: Server | undefined,
  work: () => Promise<number> | undefined,
): Promise<number | undefined> {
  const before = await server?.processorTime()
  const start = performance.now()
  const rate = await work()
  const seconds = (performance.now() - start) / 1000
  const after = await server?.processorTime()
  if (rate === undefined || before === undefined || after === undefined) return undefined
  return (rate * seconds) / (after - before)
}

/** Starts a server, and gives the inverse of the seconds that its start or its first change has taken. */
async function measureStart(row: Row, kind: Kind): Promise<number> {
  const server = await startServer(kind, row.size)
  try {
    if (row.measured === 'start') return 1000 / server.startUp
    const before = server.inode()
    const start = performance.now()
    await (await ask(server.port, row.request(0, server))).arrayBuffer()
    // Json-server responds before it writes.
    while (server.inode() === before) await sleep(1)
    return 1000 / (performance.now() - start)
  } finally {
    await server.end()
  }
}

function loadOn(server: Server, { request, connections, size, drifts, status = 200 }: Row) {
  // The first number was that of the check.
  let number = 0
  const next = (): RequestSpec => {
    number += 1
    return request(number, server)
  }
  const limit = drifts ? Math.floor(size * LARGEST_DRIFT) : Number.POSITIVE_INFINITY
  return (duration: number) =>
    putLoad({ port: server.port, connections, duration, fewest: 3, limit, next, status })
}

/** Looks at one whole response; under load, only the status is looked at. */
async function check(server: Server, { title, request, records, status = 200 }: Row): Promise<void> {
  const response = await ask(server.port, request(0, server))
  const body = await response.text()
  const value: unknown = body === '' ? undefined : JSON.parse(body)
  const found = isRecord(value) && Array.isArray(value.blogs) ? value.blogs : value
  const isComplete = records === undefined || (Array.isArray(found) && found.length === records)
  if (response.status === status && isComplete) return
  throw new Error(`${title} of ${server.kind}: ${response.status} ${body.slice(0, 200)}`)
}
