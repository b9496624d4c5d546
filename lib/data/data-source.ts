import { EventEmitter } from 'node:events'
import { Router } from 'express'
import { isRecord } from '../is-record'

/** The data behind the router: collections (arrays) and singular resources (objects) by name. */
export type Data = Record<string, unknown>

interface DataEvents {
  /** The data was replaced: somebody else changed the file, or a test reset it. */
  reload: []
  /** The data went back to what it was at the last successful write. */
  rollback: []
  /** The data cannot be saved until a person does something about it. */
  fault: [Error]
  /** The source is no longer used. */
  close: []
}

/** Where the data lives. json-server's router changes the state in place; `commit` makes the changes durable. */
export abstract class DataSource extends EventEmitter<DataEvents> {
  #state: Data
  #revision = 0

  /**
   * @param state collections and singular resources; it is changed in place
   * @param isShared whether somebody else may change the state at any time, in place and unnoticed: nothing about it can be
   *   cached. Set when the state is given to such code
   */
  constructor(
    state: Data,
    public isShared: boolean,
  ) {
    super()
    this.#state = state
  }

  /** The data as it is now. After `reload` and `rollback` it is another object. */
  get state(): Data {
    return this.#state
  }

  /** Grows with every change of a state that is not shared. */
  get revision(): number {
    return this.#revision
  }

  /** Paths of the files that hold the data: they are never served as static files. */
  readonly files: readonly string[] = []

  /** Resolves when the state as it is now is durable. */
  commit(): Promise<void> {
    this.#revision += 1
    return this.store()
  }

  /** What `commit` does where data lives elsewhere than in memory. */
  protected async store(): Promise<void> {}

  /**
   * Replaces all data, for instance between two tests; `commit` makes that durable.
   *
   * @throws DataError when json-server could not serve it
   */
  replace(data: Data): void {
    this.setState(validData(data, 'The data'), 'reload')
  }

  protected setState(state: Data, event: 'reload' | 'rollback'): void {
    this.#state = state
    this.#revision += 1
    this.emit(event)
  }

  /**
   * Called before a change: reloads what others have changed.
   *
   * @throws HttpError 503 while nothing can be saved
   */
  refresh(): void {}

  /** Waits for the writes under way and releases the source. */
  async close(): Promise<void> {
    this.emit('close')
  }
}

export interface MemoryDataOptions {
  /** Whether somebody else may change the data in place. False makes large data faster. Default: true. */
  isShared?: boolean
}

/** Data that lives in memory and never touches a file. */
export class MemoryData extends DataSource {
  /**
   * @param data collections and singular resources; it is changed in place
   * @throws DataError when json-server could not serve it
   */
  constructor(data: Data, { isShared = true }: MemoryDataOptions = {}) {
    super(validData(data, 'The data'), isShared)
  }
}

/** Data that cannot be served. The message is one sentence for the person who wrote it. */
export class DataError extends Error {
  override readonly name = 'DataError'
}

/**
 * Checks that json-server can serve the data.
 *
 * @param value what a source gave
 * @param origin names the source at the start of an error's sentence
 * @throws DataError when it is not an object of arrays and objects, or a name cannot be part of a path
 */
export function validData(value: unknown, origin: string): Data {
  const refuse = (sentence: string): never => {
    throw new DataError(`${origin} ${sentence}`)
  }
  if (!isRecord(value) || !isPlain(value))
    return refuse(`must be an object of collections, but it is ${kindOf(value)}.`)
  for (const [name, resource] of Object.entries(value)) {
    if (name === '$schema') continue
    if (name.includes('/'))
      refuse(`has a collection named "${name}": a name cannot hold a slash. A rewrite rule can.`)
    if (!isPathPattern(name))
      refuse(
        `has a collection named "${name}": a name cannot hold parentheses or brackets that do not close.`,
      )
    if (!Array.isArray(resource) && (!isRecord(resource) || Symbol.iterator in resource))
      refuse(`has "${name}", which is ${kindOf(resource)}: it must be an array or an object.`)
  }
  return value
}

/** json-server makes a route of each name, and Express takes a route's path for a pattern. */
function isPathPattern(name: string): boolean {
  try {
    Router().use(`/${name}`, () => {})
    return true
  } catch {
    return false
  }
}

/** Whether it is an object as JSON has them. Its prototype may be that of another realm, as in a test runner. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

/** For instance a Map, which JSON turns into an empty object. */
function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value)
  if (Array.isArray(value)) return 'an array'
  if (typeof value === 'object') return `a ${value.constructor.name}`
  return `a ${typeof value}`
}
