import { type Data, resourceNames } from '../data/valid-data'
import { redactTarget } from '../http/log/redact-target'
import { guardAdvice } from '../http/rewrite-rules'
import { nearestName } from '../nearest-name'
import { hasAddress } from './addresses'

/** Characters of a part of a path that the log shows. */
const MOST_SHOWN = 100

/**
 * Why nothing was found under a path, as a clause for the server's log.
 *
 * @param path behind the rewrite rules, still encoded
 * @param found the name of the resource, if there is one
 */
export function whyMissing(method: string, path: string, state: Data, found: string | undefined): string {
  // A part of it by itself may not look like one of a password.
  if (redactTarget(path) !== path) return 'there is nothing at this path'
  const [first = '', id, nested, ...deeper] = path.split('/').filter((part) => part !== '')
  const noRoute = `there is no route for ${method} here`
  if (found !== undefined) {
    const isRecord = Array.isArray(state[found]) && id !== undefined && nested === undefined
    return isRecord && method !== 'POST' ? `no record ${shown(id)} in "${found}"` : noRoute
  }
  const guard = id === undefined ? undefined : guardAdvice(first)
  if (guard !== undefined) return guard
  const sought = nested ?? first
  if (sought === '' || deeper.length > 0) return noRoute
  const above = nested === undefined ? '' : `${shown(first)}/${shown(id)}/`
  const nearest = nearestName(shown(sought), resourceNames(state).filter(hasAddress))
  const advice = nearest === undefined ? '' : `: did you mean /${above}${nearest}?`
  return `no "${shown(sought)}" in the data${advice}`
}

/** A part of a path as it was sent. */
function shown(part = ''): string {
  return part.slice(0, MOST_SHOWN)
}
