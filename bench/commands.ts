import path from 'node:path'
import type { Command } from './child'
import { HOST } from './exchange'
import type { Contestant } from './row'

/** The project's folder. */
export const PROJECT = path.join(__dirname, '..')

const TS_NODE = path.join(PROJECT, 'node_modules/ts-node/dist/bin.js')
const JSON_SERVER = path.join(PROJECT, 'node_modules/json-server/lib/cli/bin.js')

export interface Place {
  port: number
  /** Where the data file is. */
  folder: string
  sameBytes: string
}

/** How a server is started. */
export function commandFor({ kind }: Contestant, { port, folder, sameBytes }: Place): Command {
  const program = process.execPath
  const flags = [path.join(folder, 'db.json'), '--host', HOST, '--port', String(port), '--quiet']
  const servers = path.join(__dirname, 'servers')
  switch (kind) {
    case 'ours':
      // In the project's folder, so that it reads routes.json as it does for everybody.
      return { program, arguments: [TS_NODE, path.join(PROJECT, 'server.ts'), ...flags], folder: PROJECT }
    case 'json-server':
      return { program, arguments: [JSON_SERVER, ...flags], folder }
    case 'bare Express':
      return {
        program,
        arguments: [TS_NODE, path.join(servers, 'bare-express.ts'), String(port), sameBytes],
        folder,
      }
    case 'node:http':
      return {
        program,
        arguments: [TS_NODE, path.join(servers, 'node-http.ts'), String(port), sameBytes],
        folder,
      }
  }
}
