import path from 'node:path'
import type { Request, RequestHandler } from 'express'
import { onlyFor } from '../lib/http/express/steps'
import { staticFiles } from './static-files'

export interface HomePageOptions {
  /** Whether the data has a resource of this name, which comes before a file of the page. */
  isResource: (name: string) => boolean
  /** Whether responses may be compressed. */
  gzip: boolean
}

/** The files of json-server's home page; `script.js` loads `/db` and `/__rules`. */
const FOLDER = path.join(path.dirname(require.resolve('json-server/package.json')), 'public')
const PATHS = new Set(['/', '/index.html', '/script.js', '/style.css', '/favicon.ico'])

/**
 * json-server's own home page: `GET` and `HEAD` of `/` and of its files. Scripts that start json-server wait
 * until `/` responds. Any other request is passed on.
 */
export function homePage({ isResource, gzip }: HomePageOptions): RequestHandler {
  const serve = staticFiles({ folder: FOLDER, privateFiles: [], isTaken: () => false, gzip })
  const isOfPage = (request: Request) => PATHS.has(request.path) && !isResource(request.path.slice(1))
  return onlyFor(isOfPage, serve)
}
