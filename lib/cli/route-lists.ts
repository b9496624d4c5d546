import { isTaken, type Service, type ServiceRoute } from '../auth/service'
import type { Style } from '../style'

/** How many lines of a list the start prints: more would push what comes first out of sight. */
const MOST_LINES = 15

/** A line of a list: what to ask for, and a note about it. It may name no method. */
export type Route = Pick<ServiceRoute, 'path'> & Partial<ServiceRoute>

/** The path of a resource behind the token check: one that a service has taken is at another path there. */
export function protectedPath(name: string, services: readonly Service[]): string {
  return isTaken(services, { path: `/${name}` }) ? `/${name}/` : `/${name}`
}

/** The first lines of a list, and how many more there are. */
export function firstOf(lines: readonly string[], style: Style): string[] {
  const more = lines.length - MOST_LINES
  return more > 0 ? [...lines.slice(0, MOST_LINES), style('dim', `  and ${more} more`)] : [...lines]
}

/** Routes of the server at `url`, with their notes below each other. */
export function drawRoutes(routes: readonly Route[], url: string, style: Style): string[] {
  const width = Math.max(...routes.map(({ path }) => path.length))
  const lines = routes.map(({ method, path, note }) => {
    const before = method === undefined ? '' : `${method.padEnd(4)} `
    const after = note === undefined ? '' : `${' '.repeat(width - path.length + 2)}${style('dim', note)}`
    return `  ${before}${style('cyan', url + path)}${after}`
  })
  return firstOf(lines, style)
}
