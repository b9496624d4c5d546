import { EventEmitter } from 'node:events'
import { HttpError } from '../errors'
import { type KindsOf, requireKinds } from '../option-kinds'
import { type Warn, warnByNode } from '../warn'
import { copyOf } from './copy-of'
import { changedNames } from './crossed-changes'
import type { DataStorage } from './data-storage'
import {
  conflict,
  NotDurableError,
  notChangeable,
  notReadable,
  notUsable,
  reportedFailure,
} from './file/file-errors'
import { ProblemReport } from './problem-report'
import { Schedule, type Turn } from './schedule'
import { type Saved, States } from './states'
import { collectionIn, type Data, DataError, validData } from './valid-data'

/** What the command line tells a person. Everybody else compares `loaded` with what it was. */
interface DataEvents {
  /** The data is what the source holds now: somebody else changed that, or there was a problem before. */
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

const SOURCE_KINDS: KindsOf<DataSourceOptions> = {
  name: ['a string'],
  warn: ['a function that returns at once'],
  lookEvery: ['a number of milliseconds, from 0 to 999999999'],
  announcesChanges: ['true', 'false'],
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
  readonly #states: States
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
   * @throws TypeError when an option is of the wrong kind or does not exist
   * @throws DataError when json-server could not serve it
   */
  constructor(data: Data, storage: DataStorage = {}, options: DataSourceOptions = {}) {
    super()
    requireKinds(options, SOURCE_KINDS)
    const { name = 'The data', warn = warnByNode, lookEvery, announcesChanges = true } = options
    const { turn } = storage
    this.#states = new States(validData(data, name))
    this.#storage = storage
    this.#name = name
    this.#warn = warn
    this.#announcesChanges = announcesChanges
    this.#schedule = new Schedule({
      look: () => this.look(),
      write: () => this.#write(),
      rollBack: () => this.#states.show(),
      refuse: () => this.#refuse(),
      turn: turn && { begin: () => this.#begin(turn), end: () => turn.end() },
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
    return this.#states.state
  }

  /**
   * The data as it was last read or replaced, whatever requests have made of it since. Whoever makes something of
   * it, such as a document, makes it again when this is another object.
   */
  get loaded(): Data {
    return this.#states.loaded
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
    return this.#states.isShared
  }

  /**
   * The records of a collection as they are now; undefined where there is none of this name. Where others may change them by
   * hand, they are a copy: what is made of it is not remembered.
   */
  records(name: string): readonly unknown[] | undefined {
    const records = collectionIn(this.state, name)
    return this.isShared ? records && [...records] : records
  }

  /** Called before the state is given to code that may change it by hand. From then on, it is a copy. */
  share(): void {
    this.#states.share()
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
    this.#refuseGone(this.state, state)
    this.#states.state = state
    return this.#keeping.commit()
  }

  /** Makes a state the data, and saves nothing: for code that saves in its own way. */
  show(state: Data): void {
    this.#states.state = state
  }

  /**
   * Replaces all data, for instance between two tests, with a copy of what is given; `commit` makes it durable.
   *
   * @throws DataError when json-server could not serve it
   */
  replace(data: Data): void {
    this.#states.replace(data)
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
      const found = this.#storage.load?.(this.#states.saved.state)
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
    const states = this.#states
    const keep = () => this.#keepSaved({ state: states.state, loaded: states.loaded })
    return {
      refresh: async () => {},
      commit: async () => keep(),
      onReplaced: keep,
      last: () => states.lastInMemory(),
    }
  }

  #inStorage(): Keeping {
    return {
      refresh: () => this.#schedule.refresh(),
      commit: () => this.#schedule.commit(),
      onReplaced: () => {},
      last: () => this.#states.saved,
    }
  }

  /** Saves the state as it is when this is called. */
  async #write(): Promise<void> {
    const states = this.#states
    let next: Saved | undefined
    try {
      validData(this.state, this.#name)
      // What is changed from now on belongs to the next write, which may fail where this one does not.
      states.writing = states.now()
      await this.#schedule.lookToSave()
      next = states.writing
      if (next === undefined) throw conflict(this.#name)
      this.#refuseGone(states.saved.state, next.state)
      await this.#save(next.state)
      this.#keepSaved(next)
    } catch (error) {
      if (error instanceof NotDurableError && next !== undefined) this.#keepSaved(next)
      const place = this.files[0] ?? this.#name
      throw reportedFailure(error, { name: this.#name, place, warn: this.#warn })
    } finally {
      states.writing = undefined
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
      await this.#storage.save?.(state, this.#states.saved.state)
    } catch (error) {
      this.#states.writing = undefined
      if (!(error instanceof NotDurableError)) await this.look()
      throw error
    }
  }

  #takeOver(found: Data | undefined): void {
    if (found === undefined) return
    const saved = this.#states.saved.state
    const gone = new Map<string, DataError>()
    const resources: [string, unknown][] = []
    for (const [name, resource] of Object.entries(found))
      if (!(resource instanceof DataError)) resources.push([name, resource])
      else {
        gone.set(name, resource)
        if (Object.hasOwn(saved, name)) resources.push([name, saved[name]])
      }
    // As in a file, `__proto__` is a name as well.
    const state = validData(Object.fromEntries(resources), this.#name)
    this.#unusable = undefined
    this.#gone = gone
    if (changedNames(saved, state).length === 0) return
    if (!this.#states.takeOver(state)) this.#schedule.abort(conflict(this.#name))
    this.#tellSaved()
  }

  #keepSaved(saved: Saved): void {
    this.#states.saved = saved
    this.#tellSaved()
  }

  #tellSaved(): void {
    for (const watcher of this.#watchers) watcher.onSaved()
  }

  /** @throws HttpError 503 while nothing can be saved */
  #refuse(): void {
    if (this.#problem !== undefined) throw notUsable(this.#problem)
  }

  /** Refuses a change of a resource that is gone. */
  #refuseGone(before: Data, after: Data): void {
    for (const [name, problem] of this.#gone) if (before[name] !== after[name]) throw notChangeable(problem)
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
   * @throws TypeError when an option is of the wrong kind or does not exist
   * @throws DataError when json-server could not serve it
   */
  constructor(data: Data, options: { isOwn?: boolean } = {}) {
    requireKinds(options, { isOwn: ['true', 'false'] })
    const { isOwn = false } = options
    super(isOwn ? data : copyOf(validData(data, 'The data')))
  }
}
