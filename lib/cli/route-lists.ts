import { isTaken, type Service, type ServiceRoute } from '../auth/service'
import type { Style } from '../style'

/** How many resources the start lists: more would push what comes first out of sight. */
const MOST_RESOURCES = 15

/** Behind how many columns a note begins at most: one long name would push all others out of sight. */
const WIDEST = 48

const METHOD_COLOURS = { GET: 'green', DELETE: 'red' } as const

/** A line of a list. */
export interface Route extends Partial<Omit<ServiceRoute, 'path'>> {
  url: string
}

/** The path of a resource behind the token check: one that a service has taken is at another path there. */
export function protectedPath(name: string, services: readonly Service[]): string {
  return isTaken(services, { path: `/${name}` }) ? `/${name}/` : `/${name}`
}

/** The line below a list of which so many lines are left out. */
export function andMore(count: number, style: Style): string[] {
  return count > 0 ? [style('dim', `  and ${count} more`)] : []
}

/** The first resources, how many more there are, and other routes below them. */
export function drawResources(routes: readonly Route[], others: readonly Route[], style: Style): string[] {
  const listed = routes.slice(0, MOST_RESOURCES)
  const drawn = drawRoutes([...listed, ...others], style)
  const more = andMore(routes.length - listed.length, style)
  return [...drawn.slice(0, listed.length), ...more, ...drawn.slice(listed.length)]
}

/** Lines with their notes below each other. */
export function drawRoutes(routes: readonly Route[], style: Style): string[] {
  const width = Math.min(WIDEST, Math.max(...routes.map(({ url }) => url.length)))
  return routes.map(({ method, url, note, isAside }) => {
    const gap = ' '.repeat(Math.max(0, width - url.length) + 2)
    if (isAside) return style('dim', `  ${(method ?? '').padEnd(5)}${url}${gap}${note}`)
    const colour = method === 'GET' || method === 'DELETE' ? METHOD_COLOURS[method] : 'yellow'
    const before =
      method === undefined ? '' : `${style(colour, method)}${' '.repeat(Math.max(1, 5 - method.length))}`
    const after = note === undefined ? '' : gap + style('dim', note)
    return `  ${before}${style('cyan', url)}${after}`
  })
}
