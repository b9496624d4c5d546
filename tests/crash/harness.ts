import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isRecord } from '../../lib/is-record'
import { ADA, makeFolder } from '../support/data'
import { authorized, logIn } from '../support/http'
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
const CLIENTS = 4

interface RoundOptions {
  kind: Kind
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
  const { kind, ballast, random } = options
  const file = path.join(folder, 'db.json')
  const initial = { users: [ADA], records: [], ballast: ballastOf(ballast) }
  await writeFile(file, JSON.stringify(initial, null, 2))
  const server = await Launched.listening({ folder })
  servers.push(server)
  const token = await logIn(server.url)
  const clients = Array.from(
    { length: CLIENTS },
    (_item, index) => new Client({ url: server.url, token, name: `client${index}`, random }),
  )
  const working = workUntil(clients, 5 + Math.floor(random() * 40))
  await Promise.race([working.reached, working.over])
  if (kind.aim(options.round)) await stagedWrite(folder)
  else await sleep(random() * 50)
  const errors = await end(server, kind)
  await working.over

  const left = await examine(file, initial.ballast.length, clients)
  errors.push(...left.errors)
  if (left.errors.length === 0) errors.push(...(await startAgain(folder, left.records, servers)))
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

async function examine(file: string, ballast: number, clients: readonly Client[]) {
  const text = await readFile(file, 'utf8')
  let content: unknown
  try {
    content = JSON.parse(text)
  } catch (error) {
    return { errors: [`db.json (${text.length} characters) is broken: ${error}`], losses: [], records: [] }
  }
  const { records = undefined, ballast: kept = undefined } = isRecord(content) ? content : {}
  if (!Array.isArray(records) || !Array.isArray(kept) || kept.length !== ballast)
    return { errors: ['db.json lacks a collection or a part of one'], losses: [], records: [] }
  return { errors: [], losses: clients.flatMap((client) => client.losses(records)), records }
}

/** Whether a new process serves exactly what is in the file, can write, and cleans up beside it. */
async function startAgain(folder: string, records: unknown[], servers: Launched[]): Promise<string[]> {
  const next = await Launched.listening({ folder })
  servers.push(next)
  const errors: string[] = []
  const headers = authorized(await logIn(next.url))
  const served = await (await fetch(`${next.url}/records`, { headers })).text()
  if (served !== JSON.stringify(records, null, 2)) errors.push('the next server serves something else')
  const created = await fetch(`${next.url}/records`, { method: 'POST', headers, body: '{"key": "last"}' })
  if (created.status !== 201) errors.push(`the next server responds to a POST with ${created.status}`)
  const leftovers = (await readdir(folder)).filter((name) => name !== 'db.json')
  if (leftovers.length > 0) errors.push(`left beside db.json after the next write: ${leftovers.join(', ')}`)
  const exit = await next.stop('SIGTERM')
  if (exit !== 0) errors.push(`the next server ended with ${exit}`)
  if (!(await readFile(path.join(folder, 'db.json'), 'utf8')).includes('"key": "last"'))
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
