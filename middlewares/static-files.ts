import { stat } from 'node:fs/promises'
import path from 'node:path'
import compression from 'compression'
import express, { type Request, type RequestHandler, type Response } from 'express'
import { isPrivate } from '../lib/files/private-files'
import { isWindowsAlias } from '../lib/files/windows-names'
import { inOrder } from '../lib/http/express/steps'
import { isRead } from '../lib/http/request'
import { allowCaching, noCache } from './no-cache'

export interface StaticFilesOptions {
  /** The folder that anybody can read. */
  folder: string
  /** Paths of files that are never served: see {@link isPrivate}. */
  privateFiles: readonly string[]
  /** Whether a request is for one of the services, which no file may shadow. */
  isTaken: (request: Request) => boolean
  /** Comes before a file is served. Default: nothing. */
  beforeFile?: RequestHandler | undefined
  /** Whether responses may be compressed. */
  gzip: boolean
}

/**
 * How many files are compressed at once at most. The four threads of libuv compress them, and also sync the
 * data file: while 100 clients had a file of 14 MB compressed, each POST took 0.8 s, and not 3 ms.
 */
const MOST_COMPRESSED = 2

/** How many files are being compressed, for all servers in the process together. */
let beingCompressed = 0

/** Whether a response may be compressed; otherwise it is sent as it is. */
function mayCompress(request: Request, response: Response): boolean {
  if (!compression.filter(request, response)) return false
  response.vary('Accept-Encoding')
  if (beingCompressed >= MOST_COMPRESSED) return false
  beingCompressed += 1
  response.once('close', () => {
    beingCompressed -= 1
  })
  return true
}

/**
 * Serves the files of a folder as json-server does, compressed and with their own headers for caches, except
 * dotfiles, anything in folders that begin with a dot, and private files. It redirects to a folder only if
 * that has an `index.html`. Any other request is passed on untouched: without a token, nobody can tell a file
 * that is not served from one that does not exist.
 */
export function staticFiles({
  folder,
  privateFiles,
  isTaken,
  beforeFile,
  gzip,
}: StaticFilesOptions): RequestHandler {
  const serve = inOrder([
    beforeFile,
    function allowCachingOfFile(_request, response, next) {
      allowCaching(response)
      next()
    },
    gzip && compression({ filter: mayCompress }),
    express.static(folder),
    noCache(),
  ])

  async function mayServe(encodedPath: string): Promise<boolean> {
    try {
      const inside = decodeURIComponent(encodedPath)
      // A segment that begins with a dot is a dotfile, or leads out of the folder.
      if (/[\\/]\./.test(inside)) return false
      if (process.platform === 'win32' && isWindowsAlias(inside)) return false
      const found = path.join(folder, inside)
      // For a folder, Express serves this file.
      const file = (await stat(found)).isDirectory() ? path.join(found, 'index.html') : found
      return (await stat(file)).isFile() && !(await isPrivate(file, privateFiles))
    } catch {
      // There is no such file: the next steps respond.
      return false
    }
  }

  return function staticFilesMiddleware(request, response, next) {
    if (!isRead(request) || isTaken(request)) return next()
    mayServe(request.path).then((servable) => {
      if (servable) serve(request, response, next)
      else next()
    }, next)
  }
}
