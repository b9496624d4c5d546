import { isTaken, type Service, type ServiceRoute } from '../auth/service'
import type { Style } from '../style'

/** How many lines of a list the start prints: more would push what comes first out of sight. */
const MOST_LINES = 15

/** A line of a list. */
export interface Route extends Partial<Omit<ServiceRoute, 'path'>> {
  url: string
}

/** The path of a resource behind the token check: one that a service has taken is at another path there. */
export function protectedPath(name: string, services: readonly Service[]): string {
  return isTaken(services, { path: `/${name}` }) ? `/${name}/` : `/${name}`
}

/** The first lines of a list, and how many more there are. */
export function firstOf(lines: readonly string[], style: Style): string[] {
  const more = lines.length - MOST_LINES
  return more > 0 ? [...lines.slice(0, MOST_LINES), style('dim', `  and ${more} more`)] : [...lines]
}

/** Lines with their notes below each other. */
export function drawRoutes(routes: readonly Route[], style: Style): string[] {
  const width = Math.max(...routes.map(({ url }) => url.length))
  const lines = routes.map(({ method, url, note, isAside }) => {
    const gap = ' '.repeat(width - url.length + 2)
    if (isAside) return style('dim', `  ${(method ?? '').padEnd(5)}${url}${gap}${note}`)
    const before = method === undefined ? '' : `${method.padEnd(4)} `
    const after = note === undefined ? '' : gap + style('dim', note)
    return `  ${before}${style('cyan', url)}${after}`
  })
  return firstOf(lines, style)
}
