import etag from 'etag'

/** Bytes from which a body is shared: of shorter ones, those of a hundred responses take 6 MB. */
export const LARGE = 65_536

/** The large bodies that responses still hold, by their tags. */
const held = new Map<string, WeakRef<Buffer>>()

/**
 * The same bytes, of which all responses that are being sent hold one copy: a hundred clients that ask for a
 * record of 4 MB, and do not read it, would otherwise take 400 MB.
 *
 * @param tag that of the body, if it has been made
 */
export function sharedBody(body: Buffer, tag?: string): Buffer {
  if (body.length < LARGE) return body
  const key = tag ?? tagOf(body)
  const known = held.get(key)?.deref()
  if (known?.equals(body)) return known
  for (const [other, reference] of held) if (reference.deref() === undefined) held.delete(other)
  held.set(key, new WeakRef(body))
  return body
}

/** The ETag of a body. */
export function tagOf(body: Buffer): string {
  return etag(body, { weak: true })
}
