import { readdirSync } from 'node:fs'
import path from 'node:path'
import { DEFAULTS } from '../defaults'
import { isSnapshot } from '../files/private-files'
import { WATCH_INTERVAL } from '../files/watch-file'
import { isRecord } from '../is-record'
import { type Warn, warnByNode } from '../warn'
import { DataSource } from './data-source'
import type { Chunks } from './data-text'
import { notReadable } from './file/file-errors'
import { replaceFiles } from './file/replace-files'
import { isReferenceTo } from './references'
import { ResourceFile } from './resource-file'
import { type Data, DataError } from './valid-data'

export interface FolderDataOptions {
  /** What ends the name of a foreign key: files that refer to another are written before it. Default: `Id`. */
  foreignKeySuffix?: string
  /** Told what a person should know while the folder is used. Default: Node's `process.emitWarning`. */
  warn?: Warn
}

/** Files that mean something else to this server, or to json-server. */
const OTHERS = ['db.json', 'json-server.json', 'routes.json']

/** The lock of the folder, whose files are replaced together. */
const LOCK = '.lock'

/**
 * A folder of JSON files, each of which holds the resource of its name. Only the files of what has changed are written.
 * Each is watched, and never overwritten, as a data file is; what is wrong with one concerns that one alone.
 */
export class FolderData extends DataSource {
  override readonly canSave: boolean
  readonly #folder: string
  readonly #suffix: string
  readonly #resources: Map<string, ResourceFile>
  readonly #chunks: Chunks = new WeakMap()

  private constructor(
    folder: string,
    { data, resources }: FolderContent,
    { warn = warnByNode, foreignKeySuffix = DEFAULTS.foreignKeySuffix }: FolderDataOptions,
  ) {
    super(data, { name: path.basename(folder), warn, lookEvery: WATCH_INTERVAL })
    this.#folder = folder
    this.#resources = resources
    this.#suffix = foreignKeySuffix
    this.canSave = this.#prepare()
  }

  /**
   * Reads a folder and watches it from then on, until `close`. What killed processes have left in it is removed.
   *
   * @param folder path of a folder with JSON files, each with a list or an object
   * @throws DataError when the folder or a file cannot be read, or a file cannot be served
   */
  static open(folder: string, options: FolderDataOptions = {}): FolderData {
    const { warn = warnByNode } = options
    return new FolderData(path.resolve(folder), readFolder(folder, warn), options)
  }

  override get files(): readonly string[] {
    return [this.#folder, ...Array.from(this.#resources.values(), ({ options }) => options.path)]
  }

  protected override load(): Data | undefined {
    const present = new Set(resourcesIn(this.#folder))
    const names = [...new Set([...this.#resources.keys(), ...present])].sort()
    const isUnchanged = (name: string) =>
      present.has(name) && this.#resources.get(name)?.changedElsewhere === false
    if (names.every(isUnchanged)) return undefined
    const data = new Map<string, unknown>()
    for (const name of names) {
      const resource = this.#resourceOf(name)
      if (present.has(name)) data.set(name, resource.load(this.saved[name]))
      else if (Object.hasOwn(this.saved, name)) data.set(name, resource.lose())
      // It was never served.
      else this.#resources.delete(name)
    }
    // As in a file, `__proto__` is a name as well.
    return Object.fromEntries(data)
  }

  protected override async save(state: Data): Promise<void> {
    const { saved, warn } = this
    const names = [...new Set([...Object.keys(saved), ...Object.keys(state)])]
    const changed = names.filter((name) => state[name] !== saved[name])
    if (changed.length === 0) return
    const changes = referringFirst(changed, (name, other) =>
      this.#refersTo(other, saved[name], state[name]),
    ).map((name) => ({ name, ...this.#change(name, state[name]) }))
    await replaceFiles(
      changes.map(({ change }) => change),
      {
        target: path.join(this.#folder, fileOf(changed[0] ?? '')),
        lock: path.join(this.#folder, LOCK),
        onReplaced: () => {
          for (const { name, resource, onMade } of changes) {
            onMade()
            if (state[name] === undefined) this.#resources.delete(name)
            else this.#resources.set(name, resource)
          }
        },
        failure: (error, file) =>
          this.notSaved(error, { name: this.#shown(path.basename(file)), place: file }),
        warn,
      },
    )
  }

  #change(name: string, content: unknown) {
    if (!isResource(fileOf(name))) throw new Error(`${fileOf(name)} is no file for a resource`)
    const resource = this.#resources.get(name) ?? ResourceFile.absent(this.#optionsOf(name))
    try {
      return { resource, ...resource.changeTo(content, this.#chunks) }
    } catch (error) {
      throw this.notSaved(error, { name: resource.options.name, place: resource.options.path })
    }
  }

  /** Whether records that a change removes refer to a collection. */
  #refersTo(collection: string, before: unknown, after: unknown): boolean {
    if (!Array.isArray(before)) return false
    const rest = new Set(Array.isArray(after) ? after : [])
    const isReference = isReferenceTo(collection, this.#suffix)
    return before.some(
      (record) => !rest.has(record) && isRecord(record) && Object.keys(record).some(isReference),
    )
  }

  /** @returns whether all can be saved; what keeps the first of them from it is said, and not what keeps the others */
  #prepare(): boolean {
    const sentences: string[] = []
    const canSave = Array.from(this.#resources.values(), (resource) =>
      resource.prepare((sentence) => sentences.push(sentence)),
    )
    const [first] = sentences
    const more = sentences.length - 1
    if (first !== undefined)
      this.warn(more > 0 ? `${first} So it is with ${more} more of ${this.name}.` : first)
    return canSave.every((can) => can)
  }

  #resourceOf(name: string): ResourceFile {
    const resource = this.#resources.get(name) ?? new ResourceFile(this.#optionsOf(name))
    this.#resources.set(name, resource)
    return resource
  }

  #optionsOf(name: string) {
    return optionsFor(this.#folder, name, this.warn)
  }

  #shown(file: string): string {
    return path.join(this.name, file)
  }
}

interface FolderContent {
  data: Data
  resources: Map<string, ResourceFile>
}

/**
 * Reads the files of a folder.
 *
 * @throws DataError when the folder or a file cannot be read, or a file cannot be served
 */
export function readFolder(folder: string, warn: Warn): FolderContent {
  const data = new Map<string, unknown>()
  const resources = new Map<string, ResourceFile>()
  for (const name of namesIn(folder)) {
    const resource = new ResourceFile(optionsFor(path.resolve(folder), name, warn))
    const content = resource.load(undefined)
    if (content instanceof DataError) throw content
    data.set(name, content)
    resources.set(name, resource)
  }
  return { data: Object.fromEntries(data), resources }
}

function namesIn(folder: string): string[] {
  try {
    return resourcesIn(folder)
  } catch (error) {
    throw notReadable(error, folder)
  }
}

function optionsFor(folder: string, name: string, warn: Warn) {
  const file = fileOf(name)
  return { path: path.join(folder, file), name: path.join(path.basename(folder), file), warn }
}

/** The names of the resources of a folder, in their order. */
function resourcesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && isResource(entry.name))
    .map(({ name }) => path.parse(name).name)
    .sort()
}

function isResource(file: string): boolean {
  return /^[^.].*\.json$/.test(file) && !OTHERS.includes(file) && !isSnapshot(file)
}

function fileOf(resource: string): string {
  return `${resource}.json`
}

/**
 * Puts those first that refer to others: where only some are written, no record refers to one that is gone.
 *
 * @param refers whether a name refers to another
 */
function referringFirst(
  names: readonly string[],
  refers: (name: string, other: string) => boolean,
): string[] {
  const ordered: string[] = []
  let rest = [...names]
  while (rest.length > 0) {
    const isReferredTo = (name: string) => rest.some((other) => other !== name && refers(other, name))
    const next = rest.find((name) => !isReferredTo(name)) ?? rest[0] ?? ''
    ordered.push(next)
    rest = rest.filter((name) => name !== next)
  }
  return ordered
}
