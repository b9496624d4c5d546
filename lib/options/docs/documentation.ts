import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { type Request, type RequestHandler, static as staticFiles } from 'express'
import type { Access } from '../../auth/access'
import type { SessionCheck } from '../../auth/authentication'
import { type BuiltInRoute, isFor } from '../../auth/built-in-route'
import type { Contexts } from '../../auth/contexts'
import { DATA_PATH, DOCUMENT_PATH, PAGE_PATH, REQUESTS_PATH } from '../../auth/paths'
import { NOBODY } from '../../auth/user-of-token'
import { currentOf } from '../../current'
import type { DataSource } from '../../data/data-source'
import { asksForStream } from '../../http/event-stream'
import type { HttpRequest } from '../../http/handler'
import { type LoggedRequest, RecentRequests } from '../../http/log/recent-requests'
import { notesOf } from '../../http/notes'
import type { DescribedSchemas } from '../../http/openapi'
import { PreparedResponse } from '../../http/prepared-response'
import { isRead } from '../../http/request'
import type { CurrentRules } from '../../http/rewrite-rules'
import { type DocumentOptions, makeDocument } from './document'

interface DocumentationOptions extends Omit<DocumentOptions, 'rules'> {
  readonly routes: CurrentRules
  /** The data that the document describes as it was loaded. */
  readonly data: DataSource
  /** What the server knows of each request. */
  readonly contexts: Contexts
  /** Whether responses may be compressed. */
  readonly compress: boolean
  /** What schemas say of the data now. Default: there are none. */
  readonly describedSchemas?: (() => DescribedSchemas) | undefined
}

/** The page loads everything from this server, and can send nothing to another. */
const SECURITY_HEADERS = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
}

/** The address of the page tells its own requests from those of an application. */
const DATA_HEADERS = { ...SECURITY_HEADERS, 'Referrer-Policy': 'same-origin' }

/** The addresses of the pages. */
const PAGES: Readonly<Record<string, string>> = { 'page.html': PAGE_PATH, 'data.html': DATA_PATH }

/** The pages with what they load, and the routes that lead to all of it. */
interface DocumentationPages {
  readonly files: ReadonlyMap<string, PreparedResponse>
  readonly page: BuiltInRoute
  readonly builtInRoutes: readonly BuiltInRoute[]
}

/**
 * Loads the pages.
 *
 * @param openid whether a provider sends the browser back to one of them
 * @param hasOwnHome whether the application has a page at `/` now
 * @throws Error when Swagger UI is neither packed nor installed
 */
export function documentationPages({
  openid,
  hasOwnHome,
}: {
  openid: boolean
  hasOwnHome: () => boolean
}): DocumentationPages {
  const files = pageFiles(openid)
  const page: BuiltInRoute = {
    hasPath: (path) =>
      [`${PAGE_PATH}/`, DOCUMENT_PATH].includes(path) || files.has(path) || (path === '/' && !hasOwnHome()),
    hasMethod: (method) => isRead({ method }),
    isOpen: true,
    mayBeRewritten: false,
    // The start names them in a line of their own.
    shown: () => [],
  }
  return { files, page, builtInRoutes: [page, REQUESTS_ROUTE] }
}

/** The steps of the pages, and what they show. */
export interface Documentation {
  readonly page: RequestHandler
  /** Is told of each request when it has been answered. */
  report(logged: LoggedRequest, request: HttpRequest): void
  /** Makes the step of `GET /docs/requests` for some data. */
  showRequests(data: ShowRequestsOptions): RequestHandler
}

/** The page to which a provider sends the browser back, in a window of its own. */
const REDIRECT_FILES = ['oauth2-redirect.html', 'oauth2-redirect.js']

/**
 * `--docs`. Without a token: `GET /docs/data`, a page that shows the data; `GET /`, which redirects there, unless the
 * application has a page of its own; `GET /docs`, Swagger UI to try requests; and `GET /openapi.json`, an OpenAPI 3.1
 * document of this server. With one: `GET /docs/requests`. Any other request is passed on untouched: an Express router would
 * respond to OPTIONS by itself.
 */
export function documentation(pages: DocumentationPages, options: DocumentationOptions): Documentation {
  const document = currentDocument(options)
  const { files } = pages
  const page: RequestHandler = (request, response, next) => {
    if (!isFor(pages.page, request)) return next()
    const { path } = request
    if (path === '/') return response.redirect(pageFrom(request))
    // The addresses in the page are relative: with a slash at the end they would be wrong.
    if (path === `${PAGE_PATH}/`) return response.redirect(`..${PAGE_PATH}`)
    notesOf(request).isUnlogged = path !== DATA_PATH && path.startsWith(`${PAGE_PATH}/`)
    response.set(path === DATA_PATH ? DATA_HEADERS : SECURITY_HEADERS)
    const current = files.get(path) ?? document()
    current.send(request, response, { compression: options.compress }).catch(next)
  }
  const recent = new RecentRequests()
  const { contexts } = options
  return {
    page,
    report(logged, request) {
      const isOfPage = request.headers.referer?.endsWith(DATA_PATH) === true || request.path === DATA_PATH
      recent.add(logged, isOfPage, contexts.of(request).viewer)
    },
    showRequests: (data) => showRequests(recent, contexts, data),
  }
}

/**
 * The way from the root to the page, relative, because a proxy may strip a prefix. Where the application is mounted at
 * a path and that has no slash at its end, a browser takes the last part of it for a file.
 */
function pageFrom({ baseUrl, originalUrl }: Request): string {
  const isMount = originalUrl.split('?')[0] === baseUrl
  // Without the dot, a part such as `https:example.com` would be the address of another site.
  return isMount ? `./${path.posix.basename(baseUrl)}${DATA_PATH}` : DATA_PATH.slice(1)
}

/** `GET /docs/requests`, which the page asks for with a token. */
const REQUESTS_ROUTE: BuiltInRoute = {
  hasPath: (path) => path === REQUESTS_PATH,
  hasMethod: (method) => method === 'GET',
  isOpen: false,
  mayBeRewritten: false,
  shown: () => [],
}

interface ShowRequestsOptions {
  access: Access
  sessionCheck: SessionCheck
  /** Tells whose a request is: others do not see it. Default: everybody sees all. */
  viewerOf?: ((request: Request) => string) | undefined
}

/**
 * Comes after the token check: shows what the log says of the last requests, as a list or as a stream that goes on. In a
 * sandbox, it shows those for it.
 */
function showRequests(
  recent: RecentRequests,
  contexts: Contexts,
  { access, sessionCheck, viewerOf }: ShowRequestsOptions,
): RequestHandler {
  return function showRequestsMiddleware(request, response, next) {
    const viewer = viewerOf?.(request)
    // What nobody asks for, everybody sees.
    if (viewer !== NOBODY) contexts.of(request).viewer = viewer
    if (!isFor(REQUESTS_ROUTE, request)) return next()
    // No rule of --allow opens it: what people ask for is nothing of the data.
    access.require(request, undefined)
    const notes = notesOf(request)
    notes.isUnlogged = true
    const seen = { sandbox: notes.sandbox, viewer }
    if (asksForStream(request)) recent.stream(response, seen, () => access.mayStay(request, sessionCheck))
    else response.set('Cache-Control', 'no-store').json(recent.list(seen))
  }
}

/**
 * The page and the files that it loads, its own and those of Swagger UI, by their paths.
 *
 * @param openid whether a provider sends the browser back to one of them
 */
function pageFiles(openid: boolean): Map<string, PreparedResponse> {
  const own = path.join(__dirname, 'page')
  // The published package contains Swagger UI's files; in a checkout they are a development dependency.
  const packed = path.join(__dirname, 'swagger-ui')
  const library = existsSync(packed) ? packed : path.dirname(require.resolve('swagger-ui-dist/package.json'))
  const files = [
    ...readdirSync(own).map((name) => path.join(own, name)),
    ...['swagger-ui.css', 'swagger-ui-bundle.js', ...(openid ? REDIRECT_FILES : [])].map((name) =>
      path.join(library, name),
    ),
  ]
  return new Map(
    files.map((file) => {
      const { base } = path.parse(file)
      const response = new PreparedResponse(
        readFileSync(file),
        `${staticFiles.mime.lookup(base)}; charset=utf-8`,
      )
      return [PAGES[base] ?? `${PAGE_PATH}/${base}`, response]
    }),
  )
}

/** Gives the document, made when it is first asked for, and again after each reload of the data, the rules or the schemas. */
function currentDocument({
  data,
  routes,
  describedSchemas,
  ...options
}: DocumentationOptions): () => PreparedResponse {
  let last: { readonly parts: readonly unknown[]; readonly response: PreparedResponse } | undefined
  return () => {
    const { loaded } = data
    const rules = currentOf(routes)
    const schemas = describedSchemas?.()
    const parts = [loaded, rules, schemas]
    if (last === undefined || parts.some((part, index) => part !== last?.parts[index])) {
      const document = makeDocument(loaded, { ...options, rules, schemas })
      last = { parts, response: new PreparedResponse(Buffer.from(JSON.stringify(document))) }
    }
    return last.response
  }
}
