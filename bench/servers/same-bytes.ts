import { readFileSync } from 'node:fs'
import path from 'node:path'

export const CONTENT_TYPE = 'application/json; charset=utf-8'

/** What the servers for comparison send: bytes that our server has sent before. */
export interface SameBytes {
  port: number
  /** The answer to `GET /blogs`. */
  list: Buffer
  /** The answer to anything else: one user. */
  user: Buffer
}

/** Reads the command line of a server for comparison: the port, and the folder with the bytes. */
export function readCommandLine(): SameBytes {
  const [port, folder] = process.argv.slice(2)
  if (port === undefined || folder === undefined) {
    throw new Error('Give a port and the folder with list.json and user.json; npm run bench does so.')
  }
  return {
    port: Number(port),
    list: readFileSync(path.join(folder, 'list.json')),
    user: readFileSync(path.join(folder, 'user.json')),
  }
}
