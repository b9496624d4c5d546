import { EventEmitter } from 'node:events'
import { HttpError } from '../errors'
import { type Warn, warnByNode } from '../warn'
import { ChangedByHand } from './changed-by-hand'
import { copyOf } from './copy-of'
import { changedNames, madeOn } from './crossed-changes'
import {
  conflict,
  NotDurableError,
  notReadable,
  notThere,
  notUsable,
  reportedFailure,
} from './file/file-errors'
import { ProblemReport } from './problem-report'
import { Schedule, type Turn } from './schedule'
import { type Data, DataError, validData } from './valid-data'

/** What the command line tells a person. Everybody else compares `loaded` with what it was. */
interface DataEvents {
  /** The data is what the source holds now: somebody else changed that, or there was a problem before. */
  reload: []
  /** The source, or a resource of it, cannot be served as it is now: the last good data stays. */
  unusable: [DataError]
}

/**
 * How data is kept outside this process. An object with `load` and `save` is enough; without `save`, changes stay in
 * memory. Neither runs while the other does, nor twice at a time.
 */
export interface DataStorage {
  /**
   * Looks whether others have changed the data.
   *
   * @param saved what was loaded or saved last
   * @returns the data that is there now, in which a resource that is unchanged is the same object as in `saved`, and one
   *   that is gone a DataError; undefined where nobody has changed anything since
   * @throws DataError when it cannot be served until others change it again; anything else when that is not known
   */
  load?(saved: Data): Data | undefined | Promise<Data | undefined>
  /**
   * Makes a state durable, unless others have changed the data since it was loaded or saved.
   *
   * @param state is never changed afterwards; a resource that is unchanged is the same object as in `saved`
   * @param saved what was loaded or saved last
   * @throws NotDurableError when it was saved but may not last; anything else when nothing was changed
   */
  save?(state: Data, saved: Data): Promise<void>
  /** For a source that others lock while they change it. */
  readonly turn?: Turn
  /** Called once with a function that is called whenever others may have changed the data. */
  watch?(look: () => void): void
  /**
   * Releases the source.
   *
   * @param idle resolves when no look and no write is under way
   */
  close?(idle: Promise<void>): Promise<void>
  /** Paths of the files, or of the folder with them, that hold the data. Default: none. */
  readonly files?: readonly string[]
  /** Whether changes could be saved when it was opened. Default: true. */
  readonly canSave?: boolean
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

/** A state, as a value, and what was loaded or replaced last when it was one. */
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

/** What becomes of changes: in memory, a change is saved when it is made. */
interface Keeping {
  refresh(): Promise<void>
  commit(): Promise<void>
  /** Called when all data was replaced, before a commit. */
  onReplaced(): void
  /** What was loaded or saved last. */
  last(): Saved
}

/**
 * Where the data lives. A state is a value: a request makes a new one, with new arrays and objects in the place of
 * those that it changes, and the old one stays as it was.
 */
export class DataSource extends EventEmitter<DataEvents> {
  readonly #storage: DataStorage
  readonly #name: string
  readonly #warn: Warn
  readonly #announcesChanges: boolean
  readonly #schedule: Schedule
  readonly #keeping: Keeping
  readonly #timer: NodeJS.Timeout | undefined
  readonly #watchers = new Set<Watcher>()
  #state: Data
  #loaded: Data
  #saved: Saved
  /** What is being written; undefined also where others have changed the same. */
  #writing: Saved | undefined
  /** Of a state that other code may change. */
  #byHand: ChangedByHand | undefined
  /** Why what was found last cannot be served; the state has the last good data in its place. */
  #unusable: DataError | undefined
  /** That, or what kept the source from being looked at. */
  #problem: DataError | undefined
  /** What is said of resources that are gone, by their names. */
  #gone: ReadonlyMap<string, DataError> = new Map()
  readonly #report = new ProblemReport({
    say: (problem) => this.#say(problem),
    lookAgain: () => this.#schedule.lookSoon(),
  })

  /**
   * @param data collections and singular resources, which nobody else may change from now on
   * @param storage how it is kept. Default: in memory alone.
   * @throws DataError when json-server could not serve it
   */
  constructor(data: Data, storage: DataStorage = {}, options: DataSourceOptions = {}) {
    super()
    const { name = 'The data', warn = warnByNode, lookEvery, announcesChanges = true } = options
    this.#loaded = validData(data, name)
    this.#state = data
    this.#saved = { state: data, loaded: data }
    const { turn } = storage
    this.#storage = storage
    this.#name = name
    this.#warn = warn
    this.#announcesChanges = announcesChanges
    this.#schedule = new Schedule({
      look: () => this.look(),
      write: () => this.#write(),
      rollBack: () => this.#show(this.#saved),
      refuse: () => this.#refuse(),
      turn: turn && { begin: () => this.#begin(turn), end: turn.end },
    })
    this.#keeping = storage.save === undefined ? this.#inMemory() : this.#inStorage()
    const { lookSoon } = this.#schedule
    if (lookEvery !== undefined) this.#timer = setInterval(lookSoon, lookEvery).unref()
    storage.watch?.(lookSoon)
  }

  /** Whether changes could be saved when it was opened; if not, each is refused. */
  get canSave(): boolean {
    return this.#storage.canSave ?? true
  }

  /** Paths of the files, or of the folder with them, that hold the data: they are never served as static files. */
  get files(): readonly string[] {
    return this.#storage.files ?? []
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

  /** What was loaded or saved last, as values: two of them can be compared, because nobody changes them by hand. */
  lastSaved(): Saved {
    return this.#keeping.last()
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
   * Called before a change, which is made in the tick in which it resolves: takes over what others have changed.
   *
   * @throws HttpError 503 while nothing can be saved
   */
  refresh(): Promise<void> {
    return this.#keeping.refresh()
  }

  /**
   * Makes a state the data. It is visible at once, and durable when the promise resolves. When it rejects, the data
   * is as it was before.
   *
   * @throws HttpError 503, or 500, when it could not be saved
   */
  async commit(state: Data): Promise<void> {
    this.#refuseGone(this.#state, state)
    this.#state = state
    return this.#keeping.commit()
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
    this.#keeping.onReplaced()
  }

  /** Waits for the writes under way and releases the source. */
  async close(): Promise<void> {
    clearInterval(this.#timer)
    this.#report.close()
    for (const watcher of this.#watchers) watcher.onClosed()
    const idle = this.#schedule.idle()
    await (this.#storage.close?.(idle) ?? idle)
  }

  /** Takes over what others have changed, and says so. It never rejects. */
  protected async look(): Promise<void> {
    const { loaded } = this
    try {
      const found = this.#storage.load?.(this.#saved.state)
      // What is known at once is taken over at once: a write that began in between would miss it.
      this.#takeOver(found instanceof Promise ? await found : found)
      this.#problem = this.#unusable
    } catch (error) {
      this.#problem = notReadable(error, this.#name)
      if (error instanceof DataError) this.#unusable = this.#problem
    }
    const isMended = this.#reportProblems()
    if (isMended || (this.#announcesChanges && this.loaded !== loaded)) this.emit('reload')
  }

  #inMemory(): Keeping {
    const keep = () => this.#keepSaved({ state: this.#state, loaded: this.#loaded })
    return {
      refresh: async () => {},
      commit: async () => keep(),
      onReplaced: keep,
      last: () => {
        // The state that code changes by hand is all that there is.
        if (this.#byHand !== undefined)
          this.#saved = {
            state: this.#byHand.valueOf(this.#state, this.#saved.state),
            loaded: this.#loaded,
          }
        return this.#saved
      },
    }
  }

  #inStorage(): Keeping {
    return {
      refresh: () => this.#schedule.refresh(),
      commit: () => this.#schedule.commit(),
      onReplaced: () => {},
      last: () => this.#saved,
    }
  }

  /** Saves the state as it is when this is called. */
  async #write(): Promise<void> {
    let next: Saved | undefined
    try {
      // What is changed from now on belongs to the next write, which may fail where this one does not.
      this.#writing = this.#shown()
      await this.#schedule.lookToSave()
      next = this.#writing
      if (next === undefined) throw conflict(this.#name)
      this.#refuseGone(this.#saved.state, next.state)
      await this.#save(next.state)
      this.#keepSaved(next)
    } catch (error) {
      if (error instanceof NotDurableError && next !== undefined) this.#keepSaved(next)
      const place = this.files[0] ?? this.#name
      throw reportedFailure(error, { name: this.#name, place, warn: this.#warn })
    } finally {
      this.#writing = undefined
    }
  }

  async #begin(turn: Turn): Promise<void> {
    try {
      await turn.begin()
    } catch (error) {
      this.#problem = notReadable(error instanceof HttpError ? error.cause : error, this.#name)
      this.#reportProblems()
      throw error
    }
  }

  /** Where a state could not be saved, others may have changed the data. */
  async #save(state: Data): Promise<void> {
    try {
      await this.#storage.save?.(state, this.#saved.state)
    } catch (error) {
      this.#writing = undefined
      if (!(error instanceof NotDurableError)) await this.look()
      throw error
    }
  }

  /**
   * The data as it is now, as a value.
   *
   * @throws DataError when other code has changed it so that json-server could not serve it
   */
  #shown(): Saved {
    const state = validData(this.#state, this.#name)
    return {
      state: this.#byHand?.valueOf(state, this.#saved.state) ?? state,
      loaded: this.#loaded,
    }
  }

  #takeOver(found: Data | undefined): void {
    if (found === undefined) return
    const before = this.#saved
    const gone = new Map<string, DataError>()
    const resources: [string, unknown][] = []
    for (const [name, resource] of Object.entries(found))
      if (!(resource instanceof DataError)) resources.push([name, resource])
      else {
        gone.set(name, resource)
        if (Object.hasOwn(before.state, name)) resources.push([name, before.state[name]])
      }
    // As in a file, `__proto__` is a name as well.
    const state = validData(Object.fromEntries(resources), this.#name)
    this.#unusable = undefined
    this.#gone = gone
    if (changedNames(before.state, state).length === 0) return
    const shown = this.#shownIfServable()
    this.#saved = { state, loaded: state }
    this.#tryAgain(before, shown)
    this.#tellSaved()
  }

  /** Makes what is not saved on what others have changed, unless both have changed the same resource. */
  #tryAgain(before: Saved, shown: Saved | undefined): void {
    const again = (changed: Saved | undefined): Saved | undefined => {
      // All data was replaced.
      if (changed === undefined || changed.loaded !== before.loaded) return undefined
      const state = madeOn(this.#saved.state, changed.state, before.state)
      return state && { state, loaded: this.#saved.loaded }
    }
    const writing = again(this.#writing)
    const isCrossed = this.#writing !== undefined && writing === undefined
    const next = isCrossed ? undefined : again(shown)
    this.#writing = writing
    if (next === undefined) this.#schedule.abort(conflict(this.#name))
    this.#show(next ?? writing ?? this.#saved)
  }

  /** Other code may have changed the state so that nothing of it can be kept. */
  #shownIfServable(): Saved | undefined {
    try {
      return this.#shown()
    } catch {
      return undefined
    }
  }

  #keepSaved(saved: Saved): void {
    this.#saved = saved
    this.#tellSaved()
  }

  #tellSaved(): void {
    for (const watcher of this.#watchers) watcher.onSaved()
  }

  #show({ state, loaded }: Saved): void {
    this.#state = this.#byHand?.copyOf(state) ?? state
    this.#loaded = loaded
  }

  /** @throws HttpError 503 while nothing can be saved */
  #refuse(): void {
    if (this.#problem !== undefined) throw notUsable(this.#problem)
  }

  /** Refuses a change of a resource that is gone. */
  #refuseGone(before: Data, after: Data): void {
    for (const [name, problem] of this.#gone) if (before[name] !== after[name]) throw notThere(problem)
  }

  /** @returns whether less is wrong than what was said */
  #reportProblems(): boolean {
    return this.#report.report([this.#problem ?? [], ...this.#gone.values()].flat())
  }

  #say(problem: DataError): void {
    if (!this.emit('unusable', problem))
      this.#warn(problem.message, ...(problem.cause === undefined ? [] : [problem.cause]))
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
