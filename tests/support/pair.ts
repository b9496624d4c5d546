import { rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { client, type Send } from './client'
import { Contract } from './contract'
import { Launched, PROGRAMS } from './launch'
import { makeProject } from './project'

/** One of the two command lines, started. */
export interface Side {
  name: keyof typeof PROGRAMS
  /** The port that was free when it was started. */
  port: number
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

/** How to start one of them. */
export interface Start {
  args: readonly string[]
  /** Default: {@link makeProject}'s. */
  files?: Readonly<Record<string, string>>
}

/** Starts both, each in its own folder, with a port that can be given. */
export async function startPair(how: (port: number) => Start): Promise<Pair> {
  const start = async (name: keyof typeof PROGRAMS): Promise<Side> => {
    const port = await freePort()
    const { args, files } = how(port)
    const folder = await newFolder(files)
    const isOurs = name === 'ours'
    const server = new Launched({
      program: PROGRAMS[name],
      folder,
      args: isOurs ? [...args, '--docs'] : args,
      // It overrides the configuration file.
      env: { PORT: undefined },
    })
    try {
      await server.listens()
    } catch (error) {
      if (server.isPortTaken) return start(name)
      throw error
    }
    const send = await client(server, name)
    return { name, port, server, folder, send: isOurs ? await documented(server.url, send) : send }
  }
  const [theirs, ours] = await Promise.all([start('json-server'), start('ours')])
  return { 'json-server': theirs, ours }
}

/** Expects each response to be as the server's own document says, whatever flags it was started with. */
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

/** The results of the same question to both. */
export async function both<Finding>(
  pair: Pair,
  find: (side: Side) => Promise<Finding> | Finding,
): Promise<Record<keyof typeof PROGRAMS, Finding>> {
  const [theirs, ours] = await Promise.all([find(pair['json-server']), find(pair.ours)])
  return { 'json-server': theirs, ours }
}

/** A port that is free now, but may be taken a moment later. */
function freePort(): Promise<number> {
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
