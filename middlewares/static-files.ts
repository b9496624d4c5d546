import { stat } from 'node:fs/promises'
import path from 'node:path'
import compression from 'compression'
import express, { type RequestHandler } from 'express'
import { hasPrivateName, isPrivate } from '../lib/files/private-files'
import { allowCaching } from '../lib/http/cache-headers'
import { inOrder } from '../lib/http/express/in-order'
import { noCache } from './no-cache'

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
 * Serves the files of a folder as json-server does, compressed and with their own headers for caches, except
 * dotfiles, anything in folders that begin with a dot, and private files. It redirects to a folder only if
 * that has an `index.html`. Any other request is passed on untouched: without a token, nobody can tell a file
 * that is not served from one that does not exist.
 */
export function staticFiles({ folder, privateFiles, isTaken, gzip }: StaticFilesOptions): RequestHandler {
  const serve = inOrder([
    function allowCachingOfFile(_request, response, next) {
      allowCaching(response)
      next()
    },
    ...(gzip ? [compression()] : []),
    express.static(folder),
    noCache(),
  ])

  async function mayServe(encodedPath: string): Promise<boolean> {
    const inside = pathInside(encodedPath)
    if (inside === undefined) return false
    const target = path.join(folder, inside)
    try {
      // The name alone decides, whether or not the file exists.
      if (await hasPrivateName(nameOfFile(target), privateFiles)) return false
      const file = await findFile(target)
      return file !== undefined && !(await isPrivate(file, privateFiles))
    } catch {
      // There is no such file: the next steps respond.
      return false
    }
  }

  return function staticFilesMiddleware(request, response, next) {
    const { method } = request
    if ((method !== 'GET' && method !== 'HEAD') || isTaken(method, request.path)) return next()
    mayServe(request.path).then((servable) => {
      if (servable) serve(request, response, next)
      else next()
    }, next)
  }
}

/**
 * The path in the folder that a request asks for, as express.static reads it, but without looking at any
 * file.
 *
 * @returns undefined for a path that leads out of the folder or to a dotfile, or that is not valid
 */
function pathInside(encodedPath: string): string | undefined {
  try {
    const inside = path.normalize(`./${decodeURIComponent(encodedPath)}`)
    // A name such as `..` begins with a dot, too.
    const isHidden = inside.split(/[\\/]/).some((name) => name.startsWith('.') && name !== '.')
    return isHidden || inside.includes('\0') ? undefined : inside
  } catch {
    return undefined
  }
}

/**
 * The file that Express finds under a path: the file itself, or the `index.html` of a folder.
 *
 * @throws NodeJS.ErrnoException when there is none
 */
async function findFile(target: string): Promise<string | undefined> {
  const file = nameOfFile(target)
  const found = await stat(file)
  if (!found.isDirectory()) return found.isFile() ? file : undefined
  const index = nameOfFile(file + path.sep)
  return (await stat(index)).isFile() ? index : undefined
}

/** A path that ends with a slash names a folder. */
function nameOfFile(target: string): string {
  return target.endsWith(path.sep) ? path.join(target, 'index.html') : target
}
