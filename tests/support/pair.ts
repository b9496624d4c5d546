import { rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { Contract } from './contract'
import { client, Launched, type LaunchOptions, PROGRAMS, type Send } from './launch'
import { makeProject } from './project'

/** One of the two command lines, started. */
export interface Side {
  name: keyof typeof PROGRAMS
  server: Launched
  folder: string
  send: Send
}

/** json-server 0.17.4 and ours, started in the same way. */
export type Pair = Record<keyof typeof PROGRAMS, Side>

const folders: string[] = []

/** A fresh folder, which {@link removeFolders} removes. */
export async function newFolder(files?: Readonly<Record<string, string>>): Promise<string> {
  const folder = await makeProject(files)
  folders.push(folder)
  return folder
}

export async function removeFolders(): Promise<void> {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true })
}

/** How one of them is started. */
export interface Start {
  args: readonly string[]
  /** Default: {@link makeProject}'s. */
  files?: Readonly<Record<string, string>>
}

/** Starts both, each in a folder of its own. */
export async function startPair(how: (name: keyof typeof PROGRAMS) => Start): Promise<Pair> {
  const start = async (name: keyof typeof PROGRAMS): Promise<Side> => {
    const { args, files } = how(name)
    const folder = await newFolder(files)
    const isOurs = name === 'ours'
    const server = await Launched.listening({
      program: PROGRAMS[name],
      folder,
      args: isOurs ? [...args, '--docs'] : args,
    })
    const send = await client(server, name)
    return { name, server, folder, send: isOurs ? await documented(server.url, send) : send }
  }
  const [theirs, ours] = await Promise.all([start('json-server'), start('ours')])
  return { 'json-server': theirs, ours }
}

/** Expects each answer to be as the server's own document says, whatever flags it was started with. */
async function documented(url: string, send: Send): Promise<Send> {
  const contract = await Contract.of(url)
  return async (line, options) => {
    const answer = await send(line, options)
    const [method = 'GET', path = '/'] = line.split(' ')
    const headers = { Authorization: 'Bearer', ...options?.headers }
    expect({ line, problems: contract.problems({ method, path, headers }, answer) ?? [] }).toEqual({
      line,
      problems: [],
    })
    return answer
  }
}

/** What the same question finds out about both. */
export async function both<Finding>(
  pair: Pair,
  find: (side: Side) => Promise<Finding> | Finding,
): Promise<Record<keyof typeof PROGRAMS, Finding>> {
  const [theirs, ours] = await Promise.all([find(pair['json-server']), find(pair.ours)])
  return { 'json-server': theirs, ours }
}

/** Runs both to their end. */
export async function runBoth(
  options: Omit<LaunchOptions, 'folder' | 'program'>,
): Promise<Record<keyof typeof PROGRAMS, { code: number | null; output: string }>> {
  const run = async (program: readonly string[]) => {
    const launched = new Launched({ ...options, program, folder: await newFolder() })
    return { code: await launched.exited, output: launched.stdout + launched.stderr }
  }
  const [theirs, ours] = await Promise.all([run(PROGRAMS['json-server']), run(PROGRAMS.ours)])
  return { 'json-server': theirs, ours }
}

/** A port that nobody listens on. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
      .once('error', reject)
      .listen(0, '127.0.0.1', () => {
        const address = server.address()
        server.close(() => {
          if (address === null || typeof address === 'string') reject(new Error('No TCP port.'))
          else resolve(address.port)
        })
      })
  })
}
