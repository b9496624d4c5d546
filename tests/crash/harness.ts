import { readdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Data } from '../../lib/data/valid-data'
import { ADA, makeFolder } from '../support/data'
import { authorized, logIn } from '../support/http'
import { inFile, type Keep, type Kept } from '../support/kept-data'
import { Launched } from '../support/process'
import { Client } from './client'
import { stagedWrite } from './staged-write'

/** The ways to end the server. `aimed` means: at the moment in which a write begins. */
export const KINDS = [
  { name: 'SIGKILL, random', signal: 'SIGKILL', aim: () => false },
  { name: 'SIGKILL, aimed', signal: 'SIGKILL', aim: () => true },
  { name: 'SIGTERM', signal: 'SIGTERM', aim: (round: number) => round % 2 === 1 },
  { name: 'SIGINT', signal: 'SIGINT', aim: (round: number) => round % 2 === 1 },
] as const

export type Kind = (typeof KINDS)[number]

/** The milliseconds in which a server must end after SIGTERM or SIGINT. */
const PATIENCE = 60_000

interface RoundOptions {
  kind: Kind
  /** Where the data is. Default: in one file. */
  keep?: Keep
  /** How many write at the same time. Default: 4. */
  clients?: number
  /** Counts the rounds of one kind. */
  round: number
  /** Bytes of data that nobody changes, besides the records of the clients. */
  ballast: number
  random: () => number
}

interface RoundResult {
  acknowledged: number
  refused: number
  /** Acknowledged changes that are not in the file, one sentence each. */
  losses: string[]
  /** What is wrong with the file, with the exit or with the next start, one sentence each. */
  errors: string[]
}

/** Starts a server, lets clients write, ends it in the middle, and looks at what is left. */
export async function crashRound(options: RoundOptions): Promise<RoundResult> {
  const folder = await makeFolder()
  const servers: Launched[] = []
  try {
    return await round(options, folder, servers)
  } finally {
    for (const server of servers) await server.stop('SIGKILL')
    await rm(folder, { recursive: true, force: true })
  }
}

async function round(options: RoundOptions, folder: string, servers: Launched[]): Promise<RoundResult> {
  const { kind, keep = inFile, clients: count = 4, ballast, random } = options
  const boxes = [{ id: 1, inner: [] }]
  const initial = { users: [ADA], records: [], notes: [], boxes, ballast: ballastOf(ballast), tags: [] }
  const kept = await keep(folder, initial)
  const args = [path.basename(kept.source), '--host', '127.0.0.1', '--port', '0']
  const server = await Launched.listening({ folder, args })
  servers.push(server)
  const token = await logIn(server.url)
  const clients = Array.from(
    { length: count },
    (_item, index) =>
      new Client({
        url: server.url,
        token,
        name: `client${index}`,
        // Every fourth one writes into a record.
        list: index % 4 === 3 ? '/boxes/1/inner' : '/records',
        random,
      }),
  )
  const working = workUntil(clients, 5 + Math.floor(random() * 40))
  await Promise.race([working.reached, working.over])
  if (kind.aim(options.round)) await stagedWrite(kept.folder)
  else await sleep(random() * 50)
  const errors = await end(server, kind)
  await working.over

  const left = examine(kept, initial.ballast.length, clients)
  errors.push(...left.errors)
  if (left.errors.length === 0)
    errors.push(...(await startAgain({ folder, args }, kept, left.records, servers)))
  return {
    acknowledged: sum(clients.map(({ acknowledged }) => acknowledged)),
    refused: sum(clients.map(({ refused }) => refused)),
    losses: left.losses,
    errors,
  }
}

function workUntil(
  clients: readonly Client[],
  target: number,
): { reached: Promise<void>; over: Promise<void> } {
  let count = 0
  let announce: () => void = () => {}
  const reached = new Promise<void>((resolve) => {
    announce = resolve
  })
  const over = Promise.all(
    clients.map((client) =>
      client.work(() => {
        count += 1
        if (count === target) announce()
      }),
    ),
  ).then(() => {})
  return { reached, over }
}

async function end(server: Launched, { signal }: Kind): Promise<string[]> {
  if (signal === 'SIGKILL') {
    await server.stop(signal)
    return []
  }
  const timer = new AbortController()
  const tooLate = sleep(PATIENCE, undefined, { signal: timer.signal }).catch(() => undefined)
  const exit = await Promise.race([server.stop(signal), tooLate])
  timer.abort()
  if (exit === undefined) return [`${signal}: still running after ${PATIENCE} ms`]
  return exit === 0 ? [] : [`${signal}: ended with ${exit}`]
}

function examine({ saved }: Kept, ballast: number, clients: readonly Client[]) {
  let content: Data
  try {
    content = saved()
  } catch (error) {
    return { errors: [`A file is broken: ${error}`], losses: [], records: [] }
  }
  const { records, notes, boxes, ballast: kept } = content
  const inner: unknown = Object([boxes].flat()[0]).inner
  if (
    !Array.isArray(records) ||
    !Array.isArray(inner) ||
    !Array.isArray(notes) ||
    !Array.isArray(kept) ||
    kept.length !== ballast
  )
    return { errors: ['A collection, or a part of one, is missing'], losses: [], records: [] }
  const losses = clients.flatMap((client) => client.losses({ records, inner, notes }))
  return { errors: [], losses, records }
}

/** Whether a new process serves exactly what is in the file, can write, and cleans up beside it. */
async function startAgain(
  options: { folder: string; args: string[] },
  kept: Kept,
  records: unknown[],
  servers: Launched[],
): Promise<string[]> {
  const next = await Launched.listening(options)
  servers.push(next)
  const errors: string[] = []
  const headers = authorized(await logIn(next.url))
  const served = await (await fetch(`${next.url}/records`, { headers })).text()
  if (served !== JSON.stringify(records, null, 2)) errors.push('the next server serves something else')
  const created = await fetch(`${next.url}/records`, { method: 'POST', headers, body: '{"key": "last"}' })
  if (created.status !== 201) errors.push(`the next server responds to a POST with ${created.status}`)
  const leftovers = (await readdir(kept.folder)).filter((name) => !kept.names.includes(name))
  if (leftovers.length > 0) errors.push(`left beside the data after the next write: ${leftovers.join(', ')}`)
  const exit = await next.stop('SIGTERM')
  if (exit !== 0) errors.push(`the next server ended with ${exit}`)
  if (!JSON.stringify(kept.saved().records).includes('"key":"last"'))
    errors.push('the next server has lost a record')
  return errors
}

function ballastOf(bytes: number): object[] {
  const text = 'ballast '.repeat(100)
  return Array.from({ length: Math.ceil(bytes / 860) }, (_item, id) => ({ id, text }))
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
