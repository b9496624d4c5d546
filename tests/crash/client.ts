import { isRecord } from '../../lib/is-record'
import { authorized } from '../support/http'

/** What a record holds at most: its version, or nothing when it is deleted. */
type Version = number | 'absent'

/** What a client knows about one of its records: the last acknowledged change, and any without a response. */
interface Known {
  id?: unknown
  acknowledged: Version
  doubtful?: Version
  /** Whether another record refers to it, and goes with it; undefined where that is in doubt. */
  hasNote?: boolean | undefined
}

interface ClientOptions {
  url: string
  token: string
  /** The prefix of the keys of all its records: no other client uses it. */
  name: string
  /** The path of the list of its records: at the top of the data, where others refer to them, or nested in it. */
  list: '/records' | '/boxes/1/inner'
  /** Makes a number from 0 to 1. */
  random: () => number
}

/**
 * Creates, changes and deletes its own records, one request at a time, and remembers what it was promised.
 */
export class Client {
  acknowledged = 0
  refused = 0
  readonly #options: ClientOptions
  readonly #known = new Map<string, Known>()

  constructor(options: ClientOptions) {
    this.#options = options
  }

  /** Works until the server is gone. */
  async work(onAcknowledged: () => void): Promise<void> {
    for (let step = 1; ; step += 1) {
      const alive = [...this.#known].filter(([, { acknowledged }]) => acknowledged !== 'absent')
      const kind = this.#options.random()
      const [key, known] = alive[Math.floor(this.#options.random() * alive.length)] ?? []
      const going =
        key === undefined || known === undefined || kind < 0.5
          ? await this.#create(`${this.#options.name}-${step}`)
          : kind < 0.85
            ? await this.#change(known, step)
            : await this.#delete(known)
      if (!going) return
      onAcknowledged()
    }
  }

  /**
   * The errors in this client's records, one sentence each.
   *
   * @param saved `inner`: the list that is nested in the data; `notes`: what refers to the records by `recordId`
   */
  losses(saved: Record<'records' | 'inner' | 'notes', readonly unknown[]>): string[] {
    const { records, inner, notes } = saved
    return this.#options.list === '/records' ? this.#lossesAtTop(records, notes) : this.#lossesOf(inner)
  }

  #lossesAtTop(records: readonly unknown[], notes: readonly unknown[]): string[] {
    const ids = new Set(records.map((record) => Object(record).id))
    const noted = new Set(notes.map((note) => Object(note).recordId))
    const wrongNotes = [...this.#known].flatMap(([key, { id, acknowledged, doubtful, hasNote }]) => {
      if (id === undefined) return []
      if (noted.has(id) && !ids.has(id)) return [`${key} is gone, and its note is not`]
      // A process that was killed within a DELETE may have removed the note alone.
      const mustHave = hasNote === true && acknowledged !== 'absent' && doubtful !== 'absent'
      return mustHave && !noted.has(id) ? [`${key} has lost its note`] : []
    })
    return [...wrongNotes, ...this.#lossesOf(records)]
  }

  #lossesOf(records: readonly unknown[]): string[] {
    const found = new Map<string, Version>()
    for (const record of records) {
      if (!isRecord(record) || typeof record.key !== 'string' || typeof record.version !== 'number') continue
      if (!record.key.startsWith(`${this.#options.name}-`)) continue
      if (found.has(record.key)) return [`${record.key} is there twice`]
      if (record.text !== textOf(record.key)) return [`${record.key} has another content`]
      found.set(record.key, record.version)
    }
    const wrong = [...this.#known].flatMap(([key, { acknowledged, doubtful }]) => {
      const version = found.get(key) ?? 'absent'
      found.delete(key)
      if (version === acknowledged || (doubtful !== undefined && version === doubtful)) return []
      return [`${key} is ${version}, acknowledged ${acknowledged}, in doubt ${doubtful ?? 'nothing'}`]
    })
    return [...wrong, ...[...found.keys()].map((key) => `${key} was never asked for`)]
  }

  async #create(key: string): Promise<boolean> {
    const known: Known = { acknowledged: 'absent' }
    this.#known.set(key, known)
    const record = { key, version: 0, text: textOf(key) }
    const { list, random } = this.#options
    const isMade = await this.#ask(known, 0, 'POST', list, record)
    return isMade && list === '/records' && random() < 0.5 ? this.#addNote(known) : isMade
  }

  async #addNote(known: Known): Promise<boolean> {
    const { url, token } = this.#options
    const body = JSON.stringify({ recordId: known.id })
    known.hasNote = undefined
    try {
      const { ok } = await fetch(`${url}/notes`, { method: 'POST', headers: authorized(token), body })
      known.hasNote = ok
      if (ok) this.acknowledged += 1
      else this.refused += 1
      return ok
    } catch {
      return false
    }
  }

  #change(known: Known, version: number): Promise<boolean> {
    return this.#ask(known, version, 'PATCH', `${this.#options.list}/${known.id}`, { version })
  }

  #delete(known: Known): Promise<boolean> {
    return this.#ask(known, 'absent', 'DELETE', `${this.#options.list}/${known.id}`)
  }

  async #ask(known: Known, version: Version, method: string, path: string, body?: object): Promise<boolean> {
    known.doubtful = version
    try {
      const answer = await fetch(this.#options.url + path, {
        method,
        headers: authorized(this.#options.token),
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      if (answer.ok) {
        known.acknowledged = version
        this.acknowledged += 1
      } else this.refused += 1
      known.doubtful = undefined
      const content: unknown = await answer.json()
      if (method === 'POST' && isRecord(content)) known.id = content.id
      return answer.ok
    } catch {
      return false
    }
  }
}

function textOf(key: string): string {
  return `the text of ${key} `.repeat(10)
}
