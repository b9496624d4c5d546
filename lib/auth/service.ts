import type { RequestLine } from '../http/request'

/** What the start says that one can ask for. */
export interface ServiceRoute {
  readonly method: string
  readonly path: string
}

/** The data that a server starts with. */
interface ServedData {
  readonly state: Readonly<Record<string, unknown>>
  readonly idProperty: string
}

/**
 * A route with which the server itself responds, beside json-server's resources: what the start, the rewrite
 * rules, the static files and the warnings must know of it. It stands next to its step.
 */
export interface Service {
  /** Whether a path, which is still encoded, is its own. Each service compares case and slashes in its own way. */
  readonly hasPath: (path: string) => boolean
  /** Whether it responds to this method; if not, the request goes on as any other. */
  readonly hasMethod: (method: string) => boolean
  /** Whether it needs no token. */
  readonly isOpen: boolean
  /** Whether rewrite rules may lead a request for it elsewhere. */
  readonly isRewritten: boolean
  /** What the start says of it. */
  readonly routes: (data: ServedData) => readonly ServiceRoute[]
}

/** Whether a service responds to a request. */
export function isFor({ hasMethod, hasPath }: Service, { method, path }: RequestLine): boolean {
  return hasMethod(method) && hasPath(path)
}

/**
 * Whether one of the services that need no token has the path of a request: no file may take its place.
 */
export function isTaken(services: readonly Service[], { path }: Pick<RequestLine, 'path'>): boolean {
  return services.some(({ isOpen, hasPath }) => isOpen && hasPath(path))
}

/** Whether a request is for a service from which no rewrite rule may lead it away. */
export function isFixed(services: readonly Service[], request: RequestLine): boolean {
  return services.some((service) => !service.isRewritten && isFor(service, request))
}

/**
 * Whether a request is for a service that needs no token.
 *
 * @param rewritten its path after the rewrite rules. Default: as it was sent
 */
export function isForOpen(
  services: readonly Service[],
  { method, path }: RequestLine,
  rewritten: string = path,
): boolean {
  return services.some(
    (service) => service.isOpen && isFor(service, { method, path: service.isRewritten ? rewritten : path }),
  )
}

/** Services, or lists of them, in one list; undefined or false for what an option leaves out. */
export function servicesOf(given: readonly (Service | readonly Service[] | undefined | false)[]): Service[] {
  return given.flatMap((service) => service || [])
}
