/** The document of the server, and requests to it: what this page does, any other client can. */
const root = new URL('..', location)
export const spec = await (await fetch(new URL('openapi.json', root))).json()
export const { idProperty, readOnly, resources } = spec['x-data']
export const hasSandboxes = 'sandbox' in spec.components.securitySchemes

/** What is called when a request needs a login. */
export const listeners = { unauthorized() {} }

/** @returns the response, also of a refusal */
export async function call(path, { headers, body, ...init } = {}) {
  const { token, sandbox } = sessionStorage
  const response = await fetch(new URL(path.replace(/^\//, ''), root), {
    ...init,
    ...(body !== undefined && { body: JSON.stringify(body) }),
    cache: 'no-store',
    headers: {
      ...(token && { Authorization: `Bearer ${token}` }),
      ...(sandbox && hasSandboxes && { 'X-Sandbox': sandbox }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...headers,
    },
  })
  if (response.status === 401) listeners.unauthorized()
  return response
}

/** What a refusal says. */
export async function reasonOf(response) {
  const text = await response.text()
  try {
    const { error, message } = JSON.parse(text)
    return `${response.status}: ${error ?? message ?? text}`
  } catch {
    return `${response.status} ${text.slice(0, 200)}`
  }
}

/** The login of the server, whatever it looks like: an operation of the document. */
export function loginOperation() {
  for (const [path, { post }] of Object.entries(spec.paths))
    if (post?.operationId.startsWith('logIn') && post.requestBody)
      return { path, token: post['x-token'], schema: Object.values(post.requestBody.content)[0].schema }
}

/** Keeps the token that a response holds at this place. One that travels in a cookie needs no more. */
export function keepToken(fields, body) {
  const said = fields?.reduce((part, name) => part?.[name], body)
  const [token] = /[\w-]+\.[\w-]+\.[\w-]+/.exec(said ?? '') ?? []
  if (token) sessionStorage.token = token
  else sessionStorage.removeItem('token')
}

const LONGEST_WAIT = 10_000

/** Follows a stream, and connects again where it ends, until it is refused or the signal says so. */
export async function follow(path, { onEvents, onState, signal }) {
  let wait = 500
  while (!signal.aborted) {
    try {
      const response = await call(path, { headers: { Accept: 'text/event-stream' }, signal })
      const isStream = response.headers.get('content-type')?.startsWith('text/event-stream')
      if (response.status < 500 && !isStream) return onState()
      if (isStream) {
        onState('live')
        wait = 500
        await readEvents(response.body, onEvents)
      }
    } catch {
      if (signal.aborted) return
    }
    if (signal.aborted) return
    onState('waiting')
    await new Promise((resolve) => setTimeout(resolve, wait))
    wait = Math.min(2 * wait, LONGEST_WAIT)
  }
}

/** Hands on all whole events of each part that arrives. */
async function readEvents(body, onEvents) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    const from = Math.max(0, rest.length - 1)
    rest += value
    if (!rest.includes('\n\n', from)) continue
    const parts = rest.split('\n\n')
    rest = parts.pop()
    const events = parts.flatMap((part) => {
      const kind = /^event: (.*)$/m.exec(part)?.[1]
      return kind ? { kind, data: JSON.parse(/^data: (.*)$/m.exec(part)[1]) } : []
    })
    if (events.length > 0) onEvents(events)
  }
}
