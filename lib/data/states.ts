import { ChangedByHand } from './changed-by-hand'
import { copyOf } from './copy-of'
import { madeOn } from './crossed-changes'
import { type Data, validData } from './valid-data'

/** A state, as a value, and what was loaded or replaced last when it was one. */
export interface Saved {
  readonly state: Data
  readonly loaded: Data
}

/** The states of a source: as it is now, as it is being written, and as it was loaded or saved last. */
export class States {
  /** As it is now. Where it is shared, other code changes it by hand. */
  state: Data
  /** As it was loaded or replaced last, whatever was made of it since. */
  loaded: Data
  /** What was loaded or saved last. */
  saved: Saved
  /** What is being written; undefined also where others have changed the same. */
  writing: Saved | undefined
  /** Whether other code may change the state by hand. */
  isShared = false

  readonly #byHand = new ChangedByHand()

  constructor(data: Data) {
    this.state = data
    this.loaded = data
    this.saved = { state: data, loaded: data }
  }

  /** From now on, the state is a copy that other code may change by hand. */
  share(): void {
    if (this.isShared) return
    this.isShared = true
    this.state = this.#byHand.copyOf(this.state)
  }

  /** @throws DataError when json-server could not serve it */
  replace(data: Data): void {
    const copy = copyOf(validData(data, 'The data'))
    // Code that changes the state by hand goes on with the object that it has given, as in json-server.
    this.state = this.isShared ? data : copy
    this.loaded = copy
  }

  /** The state as it is now, as a value. */
  now(): Saved {
    const { state, loaded } = this
    return { state: this.isShared ? this.#byHand.valueOf(state, this.saved.state) : state, loaded }
  }

  /** What was saved last, where all is in memory: what other code has changed by hand is so, too. */
  lastInMemory(): Saved {
    if (this.isShared) this.saved = this.now()
    return this.saved
  }

  /** Shows what was loaded or saved last, or something else. */
  show({ state, loaded } = this.saved): void {
    this.state = this.isShared ? this.#byHand.copyOf(state) : state
    this.loaded = loaded
  }

  /**
   * Takes over what others have made of what was loaded or saved last. What is not saved is made on that, unless both
   * have changed the same resource.
   *
   * @returns whether nothing was lost of what is not being written
   */
  takeOver(found: Data): boolean {
    const { saved: before } = this
    const again = (changed: Saved | undefined): Saved | undefined => {
      // All data was replaced.
      if (changed === undefined || changed.loaded !== before.loaded) return undefined
      const state = madeOn(found, changed.state, before.state)
      return state && { state, loaded: found }
    }
    const writing = again(this.writing)
    const isCrossed = this.writing !== undefined && writing === undefined
    const next = isCrossed ? undefined : again(this.#nowIfServable())
    this.saved = { state: found, loaded: found }
    this.writing = writing
    this.show(next ?? writing ?? this.saved)
    return next !== undefined
  }

  /** Other code may have changed the state so that nothing of it can be kept. */
  #nowIfServable(): Saved | undefined {
    try {
      validData(this.state, 'The data')
      return this.now()
    } catch {
      return undefined
    }
  }
}
