import path from 'node:path'
import type { RequestHandler } from 'express'
import { type StaticFilesOptions, staticFiles } from './static-files'

interface HomePageOptions extends Pick<StaticFilesOptions, 'beforeFile' | 'gzip'> {
  /** Whether the data has a resource of this name, which comes before a file of the page. */
  isResource: (name: string) => boolean
}

/** The files of json-server's home page; `script.js` loads `/db` and `/__rules`. */
const FOLDER = path.join(path.dirname(require.resolve('json-server/package.json')), 'public')
const PATHS = new Set(['/', '/index.html', '/script.js', '/style.css', '/favicon.ico'])

/**
 * json-server's own home page: `GET` and `HEAD` of `/` and of its files. Scripts that start json-server wait
 * until `/` responds. Any other request is passed on.
 */
export function homePage({ isResource, ...options }: HomePageOptions): RequestHandler {
  const serve = staticFiles({ folder: FOLDER, privateFiles: [], isTaken: () => false, ...options })
  return function homePageMiddleware(request, response, next) {
    if (PATHS.has(request.path) && !isResource(request.path.slice(1))) serve(request, response, next)
    else next()
  }
}
