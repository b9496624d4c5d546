/** The document of the server, and requests to it: what these pages do, any other client can. */
const root = new URL('..', location)
const readSpec = async () => (await fetch(new URL('openapi.json', root))).json()
export const spec = await readSpec()
export const { idProperty, readOnly } = spec['x-data']
/** What there is, as the document has said last. */
export let { resources } = spec['x-data']
/** Undefined where there are no sandboxes. */
const sandboxHeader = spec.components.securitySchemes.sandbox?.name
export const hasSandboxes = sandboxHeader !== undefined

/** Milliseconds until a stream that has ended is asked for again. */
const WAIT = { first: 500, longest: 10_000 }

/** Asks the document what there is now, and tells whether that is something else. */
export async function readResources() {
  const before = JSON.stringify(resources)
  const now = await readSpec().catch(() => undefined)
  // While the server is gone, they are what they were.
  resources = now?.['x-data']?.resources ?? resources
  return JSON.stringify(resources) !== before
}

/** Why a request has not succeeded: a sentence, and those of single fields by their names. */
export class Refusal extends Error {
  /** @param otherwise what is said of a body that says nothing */
  constructor(status, body, otherwise) {
    const { error, message, errors } = Object(body)
    const reason = error ?? message ?? ((typeof body === 'string' && body) || otherwise)
    super([status, String(reason).slice(0, 500)].filter((part) => part !== undefined).join(': '))
    this.status = status
    this.fields = Object.entries(Object(errors)).map(([field, reasons]) => [
      field,
      [reasons].flat().join(' '),
    ])
  }

  /** What it says of a field, or else of the whole request. */
  of(field) {
    return this.fields.find(([name]) => name === field)?.[1] ?? this.message
  }
}

function send(method, path, { body, signal, accept = 'application/json' } = {}) {
  const { token, sandbox } = sessionStorage
  return fetch(new URL(path.replace(/^\//, ''), root), {
    method,
    signal,
    cache: 'no-store',
    body: body === undefined ? undefined : JSON.stringify(body),
    headers: {
      Accept: accept,
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...(token && { Authorization: `Bearer ${token}` }),
      ...(sandbox && hasSandboxes && { [sandboxHeader]: sandbox }),
    },
  })
}

/** @throws Refusal */
export async function ask(method, path, body) {
  const response = await send(method, path, { body }).catch(() => {
    throw new Refusal(undefined, undefined, 'The server does not respond.')
  })
  const text = await response.text()
  if (!response.ok) throw refused(response, text)
  return { headers: response.headers, body: text === '' ? undefined : JSON.parse(text) }
}

/** Whoever is refused for want of a login is asked for one; where there is nothing, a resource may be gone. */
function refused({ status, statusText }, text) {
  if (status === 401) dispatchEvent(new Event('unauthorized'))
  if (status === 404) dispatchEvent(new Event('missing'))
  try {
    return new Refusal(status, JSON.parse(text), statusText)
  } catch {
    return new Refusal(status, text, statusText)
  }
}

/** Follows a stream, and connects again where it ends, until it is refused or the signal says so. */
export async function follow(path, { onEvents, onState, signal }) {
  let wait = WAIT.first
  while (!signal.aborted) {
    try {
      const response = await send('GET', path, { accept: 'text/event-stream', signal })
      if (response.ok) {
        onState('live')
        wait = WAIT.first
        await readEvents(response.body, onEvents)
      } else if (response.status < 500) {
        refused(response, await response.text())
        return onState()
      }
    } catch {
      // The connection is lost, or nobody looks any more.
    }
    if (signal.aborted) return
    onState('waiting')
    await new Promise((resolve) => setTimeout(resolve, wait))
    wait = Math.min(2 * wait, WAIT.longest)
  }
}

/** Hands on all whole events of each part that arrives, but for signs of life. */
async function readEvents(body, onEvents) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    rest += value
    const end = rest.lastIndexOf('\n\n') + 1
    const events = rest.slice(0, end).matchAll(/^event: (.*)\ndata: (.*)$/gm)
    rest = rest.slice(end)
    const all = Array.from(events, ([, kind, data]) => ({ kind, data: JSON.parse(data) }))
    onEvents(all.filter(({ kind }) => kind !== 'heartbeat'))
  }
}
