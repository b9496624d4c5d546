import { type Answer, ask, askJson } from './http'

/** A client that keeps cookies, as a browser does for a page of the same host name. */
export class CookieClient {
  readonly cookies = new Map<string, string>()

  readonly url: string

  constructor(url: string) {
    this.url = url
  }

  /** Sends a request such as `GET /users`, with a JSON body if there is one. */
  async send(line: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    const [method = 'GET', path = '/'] = line.split(' ')
    const cookie = Array.from(this.cookies, ([name, value]) => `${name}=${value}`).join('; ')
    const question = { method, path, headers: { ...(cookie !== '' && { Cookie: cookie }), ...headers } }
    const answer = await (body === undefined
      ? ask(this.url, question)
      : askJson(this.url, { ...question, body }))
    for (const set of answer.headers['set-cookie'] ?? []) {
      const [, name = '', value = '', lifetime] = /^([^=]+)=([^;]*); Max-Age=(\d+)/.exec(set) ?? []
      if (lifetime === '0') this.cookies.delete(name)
      else this.cookies.set(name, value)
    }
    return answer
  }
}
