import { EventEmitter } from 'node:events'
import type { Begun, Store } from '../../../lib/data/store'

/** A database with one text, in memory, for several servers. */
export class TextDatabase {
  receipts = ''
  version = 0
  /** How often a text was written. */
  writes = 0
  readonly changed = new EventEmitter<{ change: [] }>()
  /** Resolves when the turn that was taken last has ended. */
  free = Promise.resolve()

  text: string

  constructor(text: string) {
    this.text = text
    this.changed.setMaxListeners(0)
  }

  get data(): Record<string, unknown[]> {
    return JSON.parse(this.text)
  }
}

type Fault = () => unknown

/** The store of one server on such a database, whose calls fail as a test wants. */
export class TextStore implements Store {
  /** Called before a call, which fails with what they throw, or waits. */
  readonly before: { begin?: Fault; write?: Fault; release?: Fault } = {}
  /** Called after the text was written, as when the reply is lost. */
  afterWrite: Fault = () => {}
  readonly calls: string[] = []
  #version = -1
  #end: () => void = () => {}

  readonly database: TextDatabase

  constructor(database: TextDatabase) {
    this.database = database
  }

  async begin(): Promise<Begun> {
    this.calls.push('begin')
    await this.before.begin?.()
    // A connection that was lost gives its turn back.
    this.#end()
    const { database } = this
    const { free } = database
    database.free = new Promise((resolve) => {
      this.#end = resolve
    })
    await free
    await new Promise(setImmediate)
    const { receipts, text, version } = database
    const isKnown = version === this.#version
    this.#version = version
    return { receipts, ...(!isKnown && { text }) }
  }

  async write(text: string, receipts: string): Promise<void> {
    this.calls.push('write')
    await this.before.write?.()
    await new Promise(setImmediate)
    const { database } = this
    Object.assign(database, { text, receipts, version: database.version + 1, writes: database.writes + 1 })
    database.changed.emit('change')
    await this.afterWrite()
    this.#version = database.version
    this.#end()
  }

  async release(): Promise<void> {
    this.calls.push('release')
    await this.before.release?.()
    this.#end()
  }

  watch(look: () => void): void {
    this.database.changed.on('change', look)
  }
}
