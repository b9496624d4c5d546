import { MemoryData } from '../data/data-source'
import type { Data } from '../data/valid-data'
import { isObject } from '../is-record'
import type { HeapSize } from './memory/heap-size'
import { recordSize, resourceSize } from './memory/resource-size'

/** The bytes that each sandbox counts besides its data, for its application and its faults. */
export const OWN_SIZE = 1024 * 1024

/**
 * The most bytes that a change can add besides its content: the record may no longer share its keys.
 */
const CHANGE_SIZE = 16 * 1024

/** The bytes that a change by a user's middleware counts until it is measured. */
const UNKNOWN_CHANGE_SIZE = 16 * 1024 * 1024

/** The data of one sandbox. It knows its size, so that all sandboxes together can be kept within a limit. */
export class SandboxData extends MemoryData {
  #size: number
  #isMeasured = true
  /**
   * The sizes of records, which never change unless the data is shared. Empty until room runs short.
   */
  #sizes = new WeakMap<object, number>()

  /**
   * @param size of the data, in bytes, as {@link resourceSize} bounds it, and {@link OWN_SIZE}
   * @param heap shared by all sandboxes
   * @param requireRoom throws when there is no room for that many more bytes
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
   * The greatest size that the data can have, in bytes, without reading it: each change has added the most
   * that it could.
   */
  get greatestSize(): number {
    return this.#size
  }

  /**
   * The size, in bytes, from one pass over the records; unchanged records are not read again.
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
    // The change, such as a DELETE, may have made the data smaller.
    else this.#isMeasured = false
    return super.commit()
  }

  #add(size: number): void {
    this.#size += size
    this.#isMeasured = false
  }
}
