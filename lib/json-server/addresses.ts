import { type Data, resourceNames } from '../data/valid-data'
import { isRecord } from '../is-record'

/** Characters of an id: each can take nine in a URL, and Node reads no URL of more than 16 kB. */
export const LONGEST_ID = 1000

/** An unpaired surrogate, which a URL cannot hold. */
const LONE_SURROGATE = /\p{Surrogate}/u

/** Names that a client sends as they are: json-server finds none of them under another spelling. */
const SENT_AS_IT_IS = /^[\w.~-]*$/

/**
 * The part of a URL's path that leads to a resource, or undefined where no client sends it: `..` means the folder above.
 */
export function resourcePath(name: string): string | undefined {
  return /^\.{1,2}$/.test(name) || LONE_SURROGATE.test(name)
    ? undefined
    : encodeURI(name).replace(/[#?]/g, encodeURIComponent)
}

/**
 * The resources to which the first segment of a path leads: several, if their names differ only in case.
 *
 * json-server compares a name with the segment as it was sent, so that nothing leads to `my list` or `näme`. A name
 * with such a character is compared with what the segment means, too.
 *
 * @param segment still encoded
 */
export function resourcesAt(segment: string, state: Data): string[] {
  const sent = segment.toLowerCase()
  const meant = segment.includes('%') ? decodedSegment(segment)?.toLowerCase() : undefined
  return resourceNames(state).filter((name) => {
    const lowerCase = name.toLowerCase()
    return lowerCase === sent || (lowerCase === meant && !SENT_AS_IT_IS.test(name))
  })
}

/** A decoded text, or undefined if it is not encoded as UTF-8. */
function decodedSegment(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/**
 * Whether a path, which is still encoded, can lead to a resource, or to all of them: by its first segment, or through a
 * record, of which json-server does not ask whether it is there.
 */
export function leadsToResource(path: string, state: Data): boolean {
  const [, first = '', , nested = '', ...deeper] = path.split('/')
  const isNested = nested !== '' && deeper.join('') === '' && resourcesAt(nested, state).length > 0
  return first === '' || first.toLowerCase() === 'db' || isNested || resourcesAt(first, state).length > 0
}

/** Whether a URL can lead to a record with this id. */
export function hasUrl(id: unknown): id is string | number {
  return typeof id === 'number'
    ? Math.abs(id) <= Number.MAX_SAFE_INTEGER
    : typeof id === 'string' && id !== '' && id.length <= LONGEST_ID && !LONE_SURROGATE.test(id)
}

/** A record's id, or undefined where it has none that a URL leads to. */
export function idOf(record: unknown, idProperty: string): string | number | undefined {
  const id = isRecord(record) ? record[idProperty] : undefined
  return hasUrl(id) ? id : undefined
}
