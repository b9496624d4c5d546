import { MemoryData } from '../data/data-source'
import type { Data } from '../data/valid-data'
import { isObject } from '../is-record'
import type { HeapSize } from './memory/heap-size'
import { recordSize, resourceSize } from './memory/resource-size'

/** What each sandbox counts beside its data, in bytes: its application and its faults. */
export const OWN_SIZE = 1024 * 1024

/**
 * What a change adds at most beside its content, in bytes: a record may come to share its keys with no other.
 */
const CHANGE_SIZE = 16 * 1024

/** What a change by a user's middleware counts until it is measured, in bytes. */
const UNKNOWN_CHANGE_SIZE = 16 * 1024 * 1024

/** The data of one sandbox. It knows its size, so that all sandboxes together can be kept within a limit. */
export class SandboxData extends MemoryData {
  #size: number
  #isMeasured = true
  /**
   * The sizes of records, which never change unless the data is shared. None until there is too little room.
   */
  #sizes = new WeakMap<object, number>()

  /**
   * @param size of the data, in bytes, as {@link resourceSize} bounds it, and {@link OWN_SIZE}
   * @param heap as for all other sandboxes
   * @param requireRoom throws when there is no room for so many bytes more
   * @throws DataError when json-server could not serve the data
   */
  constructor(
    data: Data,
    size: number,
    private readonly heap: HeapSize,
    private readonly requireRoom: (added: number) => void,
  ) {
    super(data, { isShared: false })
    this.#size = size
  }

  /**
   * The greatest size that the data can have, in bytes, without reading it: each change has added what it can
   * add at most.
   */
  get greatestSize(): number {
    return this.#size
  }

  /**
   * The size, in bytes, from one pass over the records: those that have not changed since the last time are
   * not read again.
   */
  measure(): number {
    if (this.#isMeasured) return this.#size
    if (this.isShared) this.#sizes = new WeakMap()
    this.#size = OWN_SIZE
    for (const resource of Object.values(this.state)) {
      // A singular resource is changed in place.
      const sizeOf = Array.isArray(resource) ? this.#sizeOf : undefined
      this.#size += resourceSize(this.heap, resource, sizeOf)
    }
    this.#isMeasured = true
    return this.#size
  }

  readonly #sizeOf = (record: unknown): number => {
    if (!isObject(record)) return recordSize(this.heap, record)
    const known = this.#sizes.get(record)
    if (known !== undefined) return known
    const size = recordSize(this.heap, record)
    this.#sizes.set(record, size)
    return size
  }

  override makeRoom(content: unknown): void {
    const added = CHANGE_SIZE + recordSize(this.heap, content)
    this.requireRoom(added)
    this.#add(added)
  }

  override commit(): Promise<void> {
    if (this.isShared) this.#add(UNKNOWN_CHANGE_SIZE)
    // Whatever it was, a DELETE for instance, may have made the data smaller.
    else this.#isMeasured = false
    return super.commit()
  }

  #add(size: number): void {
    this.#size += size
    this.#isMeasured = false
  }
}
