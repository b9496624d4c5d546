import { newFolder } from '../support/data'
import { client, freePort, Launched, PROGRAMS, type Send } from '../support/process'

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

/** How to start one of them. */
interface Start {
  args: readonly string[]
  /** Default: those of `projectFiles`. */
  files?: Readonly<Record<string, string>>
}

/** Starts both, each in its own folder, with a port that can be given. */
export async function startPair(how: (port: number) => Start): Promise<Pair> {
  const start = async (name: keyof typeof PROGRAMS): Promise<Side> => {
    const port = await freePort()
    const { args, files } = how(port)
    const folder = await newFolder(files)
    const server = new Launched({
      program: PROGRAMS[name],
      folder,
      args,
      // It overrides the configuration file.
      env: { PORT: undefined },
    })
    try {
      await server.listens()
    } catch (error) {
      if (server.isPortTaken) return start(name)
      throw error
    }
    return { name, port, server, folder, send: await client(server, name) }
  }
  const [theirs, ours] = await Promise.all([start('json-server'), start('ours')])
  return { 'json-server': theirs, ours }
}

/** The results of the same question to both. */
export async function both<Finding>(
  pair: Pair,
  find: (side: Side) => Promise<Finding> | Finding,
): Promise<Record<keyof typeof PROGRAMS, Finding>> {
  const [theirs, ours] = await Promise.all([find(pair['json-server']), find(pair.ours)])
  return { 'json-server': theirs, ours }
}
