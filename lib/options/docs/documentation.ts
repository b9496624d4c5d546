import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { type Request, type RequestHandler, static as staticFiles } from 'express'
import type { Credentials } from '../../auth/credentials'
import type { DataSource } from '../../data/data-source'
import type { Data } from '../../data/valid-data'
import { logNotes } from '../../http/log/log-notes'
import { PreparedResponse } from '../../http/prepared-response'
import { isRead } from '../../http/request'
import { type CurrentRules, madeFromRules } from '../../http/rewrite-rules'
import { type DocumentOptions, makeDocument } from './document'
import { DOCUMENT_PATH, PAGE_PATH } from './own-paths'
import { pageHtml, shownLogin } from './page-html'
import { describeResources, type ResourceOptions } from './resources'

export { PAGE_PATH }

export interface DocumentationOptions
  extends Omit<DocumentOptions, 'shownLogin' | 'hasLogins'>,
    ResourceOptions {
  /** The data that the document describes as it was loaded. */
  readonly data: DataSource
  /** Logins that are not in the data. */
  readonly logins: readonly Credentials[]
  /** The rewrite rules, or a function that returns the current ones. */
  readonly routes: CurrentRules
  /** Whether responses may be compressed. */
  readonly compress: boolean
}

/** The page loads everything from this server, and can send nothing to another. */
const SECURITY_HEADERS = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
}

/**
 * `--docs`, all without a token: `GET /openapi.json`, an OpenAPI 3.1 document of this server; `GET /docs`, a
 * page to read it and to try requests; and `GET /`, which redirects there. Any other request is passed on
 * untouched: an Express router would respond to OPTIONS by itself.
 *
 * @throws Error when Swagger UI is neither packed nor installed
 */
export function documentation(options: DocumentationOptions): RequestHandler {
  const modules = options.additions.flatMap(({ pageModule = [] }) => pageModule)
  const responses = new Map([
    [DOCUMENT_PATH, currentDocument(options)],
    [PAGE_PATH, currentPage(options)],
    [`${PAGE_PATH}/added.mjs`, prepared('added.mjs', () => exportsOf(modules))],
    ...[...pageFiles(), ...modules].map(
      (file) => [`${PAGE_PATH}/${path.basename(file)}`, prepared(file, () => readFileSync(file))] as const,
    ),
  ])
  return function documentationMiddleware(request, response, next) {
    if (!isRead(request)) return next()
    if (request.path === '/') return response.redirect(pageFrom(request))
    // The addresses in the page are relative: with a slash at the end they would be wrong.
    if (request.path === `${PAGE_PATH}/`) return response.redirect(`..${PAGE_PATH}`)
    const current = responses.get(request.path)
    if (current === undefined) return next()
    if (request.path.startsWith(`${PAGE_PATH}/`)) logNotes(response).isLeftOut = true
    response.set(SECURITY_HEADERS)
    current().send(request, response, { compression: options.compress }).catch(next)
  }
}

/**
 * The way from the root to the page, relative, because a proxy may strip a prefix. Where the application is mounted at
 * a path and that has no slash at its end, a browser takes the last part of it for a file.
 */
function pageFrom({ baseUrl, originalUrl }: Request): string {
  const isMount = originalUrl.split('?')[0] === baseUrl
  // Without the dot, a part such as `https:example.com` would be the address of another site.
  return isMount ? `./${path.posix.basename(baseUrl)}${PAGE_PATH}` : PAGE_PATH.slice(1)
}

/**
 * The response with a file of the page, made once: compressing Swagger UI's script takes 50 ms of a thread.
 */
function prepared(name: string, read: () => Buffer): () => PreparedResponse {
  let response: PreparedResponse | undefined
  return () => {
    response ??= new PreparedResponse(read(), typeOf(name))
    return response
  }
}

/** A module that exports what these modules of other options export by default. */
function exportsOf(modules: readonly string[]): Buffer {
  const lines = modules.map(
    (file, index) => `export { default as module${index} } from './${path.basename(file)}'\n`,
  )
  return Buffer.from(lines.join(''))
}

/** The files that the page loads, its own and those of Swagger UI. */
function pageFiles(): string[] {
  const own = path.join(__dirname, 'page')
  // The published package contains Swagger UI's files; in a checkout they are a development dependency.
  const packed = path.join(__dirname, 'swagger-ui')
  const library = existsSync(packed) ? packed : path.dirname(require.resolve('swagger-ui-dist/package.json'))
  return [
    ...readdirSync(own).map((name) => path.join(own, name)),
    path.join(library, 'swagger-ui.css'),
    path.join(library, 'swagger-ui-bundle.js'),
  ]
}

function typeOf(file: string): string {
  return `${staticFiles.mime.lookup(file)}; charset=utf-8`
}

/** Gives the page, made again only after a reload of the data. */
function currentPage({ data, ...options }: DocumentationOptions): () => PreparedResponse {
  return madeFromLoaded(data, (loaded) => {
    const html = pageHtml({ ...options, data: loaded })
    return new PreparedResponse(Buffer.from(html), typeOf('docs.html'))
  })
}

/** Gives the document, made again only after a reload of the data or a change of the rules. */
function currentDocument(options: DocumentationOptions): () => PreparedResponse {
  const { data, logins, routes } = options
  const current = madeFromLoaded(data, (loaded) => {
    const resources = describeResources(loaded, options)
    const settings = {
      ...options,
      shownLogin: shownLogin(loaded, logins),
      hasLogins: logins.length > 0,
    }
    return madeFromRules(routes, (rules) => {
      const text = JSON.stringify(makeDocument(resources, rules, settings))
      return new PreparedResponse(Buffer.from(text))
    })
  })
  return () => current()()
}

/** Gives what is made of the data as it was loaded: now, and again when it is asked for after a reload. */
function madeFromLoaded<Made>(source: DataSource, make: (loaded: Data) => Made): () => Made {
  let { loaded } = source
  let made = make(loaded)
  return () => {
    if (source.loaded !== loaded) {
      loaded = source.loaded
      made = make(loaded)
    }
    return made
  }
}
