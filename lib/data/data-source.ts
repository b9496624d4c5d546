import { EventEmitter } from 'node:events'
import { errorCode, errorMessage } from '../error-code'
import type { HttpError } from '../errors'
import { type Warn, warnByNode } from '../warn'
import { ChangedByHand } from './changed-by-hand'
import { copyOf } from './copy-of'
import {
  conflict,
  NotDurableError,
  notReadable,
  notSaved,
  notUsable,
  notUsableAlone,
} from './file/file-errors'
import { groupCommit } from './group-commit'
import { type Data, DataError, validData } from './valid-data'

/** What the command line tells a person. Everybody else compares `loaded` with what it was. */
interface DataEvents {
  /** The data is what the source holds now: somebody else changed that, or it was `unusable` before. */
  reload: []
  /** The source, or a resource of it, cannot be served as it is now: the last good data stays. */
  unusable: [DataError]
}

export interface DataSourceOptions {
  /** Names the source in a sentence. Default: `The data`. */
  name?: string
  /** Told what a person should know while the source is used. Default: Node's `process.emitWarning`. */
  warn?: Warn
  /** Milliseconds between two looks at what others have changed. Default: none is taken but before a change. */
  lookEvery?: number
  /** Whether a change of others is worth an event, because a person has made it. Default: true. */
  announcesChanges?: boolean
}

/** What was loaded or saved last. */
export interface Saved {
  readonly state: Data
  /** As {@link DataSource.loaded}. */
  readonly loaded: Data
}

/** Who is told, as it happens. Neither function may throw. */
interface Watcher {
  /** What was loaded or saved last is another state. */
  onSaved(): void
  /** Nobody changes the data any more. */
  onClosed(): void
}

/** What is wrong, by the resource that cannot be served, or for all of them. */
type Problems = ReadonlyMap<string | symbol, DataError>

const ALL = Symbol('all resources')

const NO_PROBLEMS: Problems = new Map()

/**
 * Where the data lives. A state is a value: a request makes a new one, with new arrays and objects in the place of
 * those that it changes, and the old one stays as it was.
 *
 * A source says by two functions how it is loaded and saved; without `save`, changes stay in memory. Neither runs while
 * the other does, nor twice at a time.
 */
export abstract class DataSource extends EventEmitter<DataEvents> {
  /** Whether changes could be saved when it was opened; if not, each is refused. */
  readonly canSave: boolean = true
  protected readonly name: string
  protected readonly warn: Warn
  protected readonly changes = groupCommit({ write: () => this.#write(), rollBack: () => this.#goBack() })
  #state: Data
  #loaded: Data
  #saved: Saved
  readonly #watchers = new Set<Watcher>()
  /** Of a state that other code may change. */
  #byHand: ChangedByHand | undefined
  /** Why what was loaded last cannot be served; the state has the last good data in its place. */
  #unusable = NO_PROBLEMS
  /** What was reported last: that, or what kept the source from being looked at. */
  #problems = NO_PROBLEMS
  #isWriting = false
  /** The look that has not begun. */
  #nextLook: Promise<void> | undefined
  /** Resolves when the last look that was asked for has ended. */
  #lastLook: Promise<void> = Promise.resolve()
  readonly #announcesChanges: boolean
  readonly #timer: NodeJS.Timeout | undefined

  /**
   * @param data collections and singular resources, which nobody else may change from now on
   * @throws DataError when json-server could not serve it
   */
  constructor(data: Data, options: DataSourceOptions = {}) {
    super()
    const { name = 'The data', warn = warnByNode, lookEvery, announcesChanges = true } = options
    this.#loaded = validData(data, name)
    this.#state = data
    this.#saved = { state: data, loaded: data }
    this.name = name
    this.warn = warn
    this.#announcesChanges = announcesChanges
    if (lookEvery !== undefined) this.#timer = setInterval(() => this.#lookSoon(), lookEvery).unref()
  }

  /** Paths of the files, or of the folder with them, that hold the data: they are never served as static files. */
  get files(): readonly string[] {
    return []
  }

  /** The data as it is now. */
  get state(): Data {
    return this.#state
  }

  /**
   * The data as it was last read or replaced, whatever requests have made of it since. Whoever makes something of
   * it, such as a document, makes it again when this is another object.
   */
  get loaded(): Data {
    return this.#loaded
  }

  /** The state that was loaded or saved last. */
  protected get saved(): Data {
    return this.#saved.state
  }

  /** What was loaded or saved last, as values: two of them can be compared, because nobody changes them by hand. */
  lastSaved(): Saved {
    // In memory, the state that code changes by hand is all that there is.
    if (this.save === undefined && this.#byHand !== undefined)
      this.#saved = { state: this.#byHand.valueOf(this.#state, this.saved), loaded: this.#loaded }
    return this.#saved
  }

  /**
   * Tells somebody of what is saved, in the order of the commits, also where others have changed the data.
   *
   * @returns ends that
   */
  watch(watcher: Watcher): () => void {
    this.#watchers.add(watcher)
    return () => {
      this.#watchers.delete(watcher)
    }
  }

  /** Whether other code may change the state by hand: nothing that is made of it may then be remembered. */
  get isShared(): boolean {
    return this.#byHand !== undefined
  }

  /** Called before the state is given to code that may change it by hand. From then on, it is a copy. */
  share(): void {
    if (this.#byHand !== undefined) return
    this.#byHand = new ChangedByHand()
    this.#state = this.#byHand.copyOf(this.#state)
  }

  /**
   * Looks whether others have changed the data.
   *
   * @param toSave whether a save follows, for which a source that others share may be locked
   * @returns the data that is there now, in which a resource that cannot be served is a DataError; undefined where
   *   nobody has changed it since it was loaded or saved
   * @throws DataError when it cannot be served until others change it again; anything else when that is not known
   */
  protected load?(toSave: boolean): Data | undefined | Promise<Data | undefined>

  /**
   * Makes a state durable, unless others have changed the data since it was loaded or saved.
   *
   * @param state is never changed afterwards; a resource that is unchanged is the same object as in `saved`
   * @throws NotDurableError when it was saved but may not last; anything else when nothing was changed
   */
  protected save?(state: Data): Promise<void>

  /**
   * Called before a change, which is made in the tick in which it resolves: takes over what others have changed.
   *
   * @throws HttpError 503 while nothing can be saved
   */
  async refresh(): Promise<void> {
    if (this.save === undefined) return
    await this.#lookSoon()
    this.refuseIfUnusable()
  }

  /**
   * Makes a state the data. It is visible at once, and durable when the promise resolves. When it rejects, the data
   * is as it was before.
   *
   * @throws HttpError 503, or 500, when it could not be saved
   */
  async commit(state: Data): Promise<void> {
    if (this.save !== undefined) {
      this.#refuseUnusable(this.#state, state)
      this.#state = state
      return this.changes.commit()
    }
    this.#state = state
    this.#keepSaved({ state, loaded: this.#loaded })
  }

  /** Makes a state the data, and saves nothing: for code that saves in its own way. */
  show(state: Data): void {
    this.#state = state
  }

  /**
   * Replaces all data, for instance between two tests, with a copy of what is given; `commit` makes it durable.
   *
   * @throws DataError when json-server could not serve it
   */
  replace(data: Data): void {
    const copy = copyOf(validData(data, 'The data'))
    // Code that changes the state by hand goes on with the object that it has given, as in json-server.
    this.#state = this.isShared ? data : copy
    this.#loaded = copy
    // In memory, there is nothing more to do.
    if (this.save === undefined) this.#keepSaved({ state: this.#state, loaded: copy })
  }

  /** Waits for the writes under way and releases the source. */
  async close(): Promise<void> {
    clearInterval(this.#timer)
    for (const watcher of this.#watchers) watcher.onClosed()
    await this.changes.idle()
    await this.#lastLook
  }

  /** Takes over what others have changed, and says so. It never rejects. */
  protected async look(toSave = false): Promise<void> {
    const { loaded } = this
    const known = this.#problems
    try {
      const found = this.load?.(toSave)
      // What is known at once is taken over at once: a write that began in between would miss it.
      this.#takeOver(found instanceof Promise ? await found : found)
      this.#report(this.#unusable)
    } catch (error) {
      const problems: Problems = new Map<string | symbol, DataError>([[ALL, notReadable(error, this.name)]])
      if (error instanceof DataError) this.#unusable = problems
      this.#report(problems)
    }
    const isMended = this.#problems.size < known.size
    if (isMended || (this.#announcesChanges && this.loaded !== loaded)) this.emit('reload')
  }

  /**
   * Takes over what others have changed, before a state is saved.
   *
   * @throws HttpError 503 while nothing can be saved
   */
  protected async lookToSave(): Promise<void> {
    await this.look(true)
    this.refuseIfUnusable()
  }

  /** Looks once for all who ask until it begins. The next write looks by itself. */
  #lookSoon(): Promise<void> {
    if (this.#isWriting) return Promise.resolve()
    this.#nextLook ??= this.#lastLook.then(() => {
      this.#nextLook = undefined
      return this.look()
    })
    this.#lastLook = this.#nextLook
    return this.#nextLook
  }

  async #write(): Promise<void> {
    this.#isWriting = true
    try {
      await this.saveChanges()
    } finally {
      this.#isWriting = false
    }
  }

  /** Saves the state as it is when this is called. */
  protected async saveChanges(): Promise<void> {
    const saved = this.#saved
    let next = saved
    try {
      // What is changed from now on belongs to the next write, which may fail where this one does not.
      next = { state: this.#stateToSave(), loaded: this.#loaded }
      await this.#lastLook
      await this.lookToSave()
      // The changes were made on what was there before.
      if (this.#saved !== saved) throw conflict(this.name)
      this.#refuseUnusable(saved.state, next.state)
      await this.#save(next.state)
      this.#keepSaved(next)
    } catch (error) {
      if (error instanceof NotDurableError) this.#keepSaved(next)
      throw this.notSaved(error)
    }
  }

  /** Where a state could not be saved, others may have changed the data. */
  async #save(state: Data): Promise<void> {
    try {
      await this.save?.(state)
    } catch (error) {
      if (!(error instanceof NotDurableError)) await this.look()
      throw error
    }
  }

  /** @throws DataError when other code has changed the state so that json-server could not serve it */
  #stateToSave(): Data {
    const state = validData(this.#state, this.name)
    return this.#byHand?.valueOf(state, this.saved) ?? state
  }

  /**
   * The error for a change whose write has failed. What a client must not see is a warning.
   *
   * @param file its name for a client, and its place for whoever runs the server. Default: those of the source.
   */
  protected notSaved(
    error: unknown,
    file = { name: this.name, place: this.files[0] ?? this.name },
  ): HttpError {
    const failure = notSaved(error, file.name)
    // The first line of a system's error says all; of any other, the stack may help.
    const cause = errorCode(error) === undefined ? [error] : []
    if (failure !== error && failure.status === 500)
      this.warn(`Cannot write ${file.place}: ${errorMessage(error)}.`, ...cause)
    return failure
  }

  #takeOver(found: Data | undefined): void {
    if (found === undefined) return
    const { saved } = this
    const data: Data = {}
    const unusable = new Map<string, DataError>()
    for (const [name, resource] of Object.entries(found)) {
      if (!(resource instanceof DataError)) data[name] = resource
      else {
        unusable.set(name, resource)
        if (Object.hasOwn(saved, name)) data[name] = saved[name]
      }
    }
    validData(data, this.name)
    this.#unusable = unusable
    const names = Object.keys(data)
    // Where it is what was loaded or saved last, changes that wait for their write are kept.
    if (names.length === Object.keys(saved).length && names.every((name) => data[name] === saved[name]))
      return
    this.#saved = { state: data, loaded: data }
    this.changes.abort(conflict(this.name))
    this.#goBack()
    this.#tellSaved()
  }

  #keepSaved(saved: Saved): void {
    this.#saved = saved
    this.#tellSaved()
  }

  #tellSaved(): void {
    for (const watcher of this.#watchers) watcher.onSaved()
  }

  /** Makes what is saved the data. */
  #goBack(): void {
    const { state, loaded } = this.#saved
    this.#state = this.#byHand?.copyOf(state) ?? state
    this.#loaded = loaded
  }

  /** @throws HttpError 503 while nothing can be saved */
  protected refuseIfUnusable(): void {
    const problem = this.#problems.get(ALL)
    if (problem !== undefined) throw notUsable(problem)
  }

  /** Refuses a change of a resource that cannot be served as it is. */
  #refuseUnusable(before: Data, after: Data): void {
    for (const [name, problem] of this.#unusable)
      if (typeof name === 'string' && before[name] !== after[name]) throw notUsableAlone(problem)
  }

  /** Says what is wrong, unless it has said so. */
  #report(problems: Problems): void {
    const said = new Set([...this.#problems.values()].map(({ message }) => message))
    this.#problems = problems
    for (const problem of problems.values())
      if (!said.has(problem.message) && !this.emit('unusable', problem))
        this.warn(problem.message, ...(problem.cause === undefined ? [] : [problem.cause]))
  }
}

/** Data that lives in memory and never touches a file. */
export class MemoryData extends DataSource {
  /**
   * @param data is copied: what its owner changes by hand afterwards is not seen, and requests do not change it
   * @param options `isOwn`: whether nobody else will change it, so that it need not be copied. Default: false.
   * @throws DataError when json-server could not serve it
   */
  constructor(data: Data, { isOwn = false }: { isOwn?: boolean } = {}) {
    super(isOwn ? data : copyOf(validData(data, 'The data')))
  }
}
