import type { RequestLine } from '../http/request'
import { LOGIN_PATH } from './paths'

/** What the start says that one can ask for. */
export interface ShownRoute {
  readonly method: string
  readonly path: string
}

/** The data that a server starts with. */
interface StartData {
  readonly state: Readonly<Record<string, unknown>>
  readonly idProperty: string
}

/**
 * A route with which the server itself responds, beside json-server's resources: what the start, the rewrite
 * rules, the static files and the warnings must know of it. It stands next to its step.
 */
export interface BuiltInRoute {
  /** Whether a path, which is still encoded, is its own. Each compares case and slashes in its own way. */
  readonly hasPath: (path: string) => boolean
  /** Whether it responds to this method; if not, the request goes on as any other. */
  readonly hasMethod: (method: string) => boolean
  /** Whether it needs no token. */
  readonly isOpen: boolean
  /** Whether rewrite rules may lead a request for it elsewhere. */
  readonly mayBeRewritten: boolean
  /** What the start says of it. */
  readonly shown: (data: StartData) => readonly ShownRoute[]
}

/** Whether a built-in route responds to a request. */
export function isFor({ hasMethod, hasPath }: BuiltInRoute, { method, path }: RequestLine): boolean {
  return hasMethod(method) && hasPath(path)
}

/**
 * Whether no file may take the place of what responds to a request: a built-in route that needs no token. At the path of the
 * specified login there is nothing else, while `public/login/` may have a page at that of `--login /login`.
 */
export function isTaken(builtInRoutes: readonly BuiltInRoute[], request: RequestLine): boolean {
  return request.path === LOGIN_PATH || builtInRoutes.some((route) => route.isOpen && isFor(route, request))
}

/** Whether a request is for a built-in route from which no rewrite rule may lead it away. */
export function isFixed(builtInRoutes: readonly BuiltInRoute[], request: RequestLine): boolean {
  return builtInRoutes.some((route) => !route.mayBeRewritten && isFor(route, request))
}

/**
 * Whether a request is for a built-in route that needs no token.
 *
 * @param rewritten what the rewrite rules make of it. Default: as it was sent
 */
export function isForOpen(
  builtInRoutes: readonly BuiltInRoute[],
  sent: RequestLine,
  rewritten: RequestLine = sent,
): boolean {
  return builtInRoutes.some((route) => route.isOpen && isFor(route, route.mayBeRewritten ? rewritten : sent))
}

/** Routes, or lists of them, in one list; undefined or false for what an option leaves out. */
export function routesIn(
  given: readonly (BuiltInRoute | readonly BuiltInRoute[] | undefined | false)[],
): BuiltInRoute[] {
  return given.flatMap((route) => route || [])
}
