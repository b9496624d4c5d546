import { unescape as decodeLeniently } from 'node:querystring'
import { nearestName } from '../data/nearest-name'
import { type Data, resourceNames } from '../data/valid-data'
import { redactTarget } from '../http/log/redact-target'

/** Characters of a part of a path that the log shows. */
const MOST_SHOWN = 100

/**
 * Why the router has found nothing under a path, as a clause for the server's log.
 *
 * @param path behind the rewrite rules, still encoded
 * @returns undefined when the path alone does not say it
 */
export function whyMissing(method: string, path: string, state: Data): string | undefined {
  const [first = '', id, nested, ...rest] = path.split('/').filter((part) => part !== '')
  // A path that cannot be decoded comes here as well, and an error in the log would end the process.
  const sought = decodeLeniently(nested ?? first).slice(0, MOST_SHOWN)
  if (sought === '' || rest.length > 0) return undefined
  const names = resourceNames(state)
  const name = names.find((known) => known.toLowerCase() === sought.toLowerCase())
  if (name === undefined) {
    const above = nested === undefined ? '' : `${shown(first)}/${shown(id)}/`
    const nearest = nearestName(sought, names.filter(hasAddress))
    const advice = nearest === undefined ? '' : `: did you mean /${above}${nearest}?`
    return `no "${shown(nested ?? first)}" in the data${advice}`
  }
  const isRecord = Array.isArray(state[name]) && id !== undefined && nested === undefined
  return isRecord && method !== 'POST' ? `no record ${shown(id)} in "${name}"` : undefined
}

/** Whether an address leads to a resource: its name is compared with the path before anything is decoded. */
export function hasAddress(name: string): boolean {
  return /^[!-~]*$/.test(name) && !/[#%?]|^\.{1,2}$/.test(name)
}

/** A part of a path as it was sent, without secrets. */
function shown(part = ''): string {
  return redactTarget(part).slice(0, MOST_SHOWN)
}
