import { stat } from 'node:fs/promises'
import path from 'node:path'
import compression from 'compression'
import express, { type RequestHandler, Router } from 'express'
import { allowCaching, forbidCaching } from '../lib/http/cache-headers'
import { isPrivate } from '../lib/http/private-files'

export interface StaticFilesOptions {
  /** The folder that anybody can read. */
  folder: string
  /** Paths of files that are never served: see {@link isPrivate}. */
  privateFiles: readonly string[]
  /** Whether a request is for one of the services, which no file may shadow. */
  isTaken: (method: string, path: string) => boolean
  /** Whether responses may be compressed. */
  gzip: boolean
}

/**
 * Serves the files of a folder as json-server does, compressed and with their own headers for caches, except dotfiles,
 * what is in such folders, and private files. It redirects to a folder only where that has an `index.html`. Any other request is passed on.
 */
export function staticFiles({ folder, privateFiles, isTaken, gzip }: StaticFilesOptions): RequestHandler {
  const serve = Router()
  if (gzip) serve.use(compression())
  // By default, it serves what is in a folder such as .git.
  serve.use(express.static(folder, { dotfiles: 'ignore' }))

  async function mayServe(encodedPath: string): Promise<boolean> {
    try {
      const file = await findFile(path.join(folder, decodeURIComponent(encodedPath)))
      return file !== undefined && !(await isPrivate(file, privateFiles))
    } catch {
      // There is no such file, or the path is not valid: the next steps respond.
      return false
    }
  }

  return function staticFilesMiddleware(request, response, next) {
    const { method } = request
    if ((method !== 'GET' && method !== 'HEAD') || isTaken(method, request.path)) return next()
    mayServe(request.path).then((servable) => {
      if (!servable) return next()
      allowCaching(response)
      serve(request, response, (error?: unknown) => {
        forbidCaching(response)
        next(error)
      })
    }, next)
  }
}

/**
 * The file that Express finds under a path: the file itself, or the `index.html` of a folder.
 *
 * @throws NodeJS.ErrnoException when there is none
 */
async function findFile(target: string): Promise<string | undefined> {
  const isFolder = target.endsWith(path.sep) || (await stat(target)).isDirectory()
  const file = isFolder ? path.join(target, 'index.html') : target
  return (await stat(file)).isFile() ? file : undefined
}
