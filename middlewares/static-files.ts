import { stat } from 'node:fs/promises'
import path from 'node:path'
import compression from 'compression'
import express, { type Request, type RequestHandler } from 'express'
import { isPrivate } from '../lib/files/private-files'
import { isWindowsAlias } from '../lib/files/windows-names'
import { inOrder } from '../lib/http/express/steps'
import { isRead } from '../lib/http/request'
import { allowCaching, noCache } from './no-cache'

export interface StaticFilesOptions {
  /** The folder that anybody can read. */
  folder: string
  /** Paths of files, and of folders, that are never served: see {@link isPrivate}. */
  privateFiles: readonly string[]
  /** Whether a request is for a route of the server itself, which no file may shadow. */
  isTaken: (request: Request) => boolean
  /** Comes before a file is served. Default: nothing. */
  beforeFile?: RequestHandler | undefined
  /** Whether responses may be compressed. */
  gzip: boolean
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
    gzip && compression(),
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
      return (await stat(file)).isFile() && !(await isPrivate(file, { privateFiles, served: folder }))
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
