import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { DEFAULTS } from '../defaults'
import type { HttpError } from '../errors'
import { isSnapshot } from '../files/private-files'
import { WATCH_INTERVAL } from '../files/watch-file'
import { isRecord } from '../is-record'
import { requireKinds } from '../option-kinds'
import { type Warn, warnByNode } from '../warn'
import { changedNames } from './crossed-changes'
import { DataSource } from './data-source'
import type { DataStorage } from './data-storage'
import type { Chunks } from './data-text'
import { notReadable, reportedFailure } from './file/file-errors'
import { replaceFiles } from './file/replace-files'
import { isReferenceTo } from './references'
import { ResourceFile } from './resource-file'
import type { Data } from './valid-data'

export interface FolderDataOptions {
  /** What ends the name of a foreign key: files that refer to another are written before it. Default: `Id`. */
  foreignKeySuffix?: string
  /** Told what a person should know while the folder is used. Default: Node's `process.emitWarning`. */
  warn?: Warn
}

/** Files that mean something else to this server, or to json-server. */
const OTHERS = ['db.json', 'json-server.json', 'routes.json']

/** A file that would be a resource, if an object could have a property of its name as of any other. */
const UNNAMEABLE = '__proto__.json'

/** The lock of the folder, whose files are replaced together. */
const LOCK = '.lock'

/**
 * A folder of JSON files, each of which holds the resource of its name. It is as one data file, of which a change writes
 * the parts that it has changed alone: where one of its files cannot be served, or replaced, no change is saved.
 */
export class FolderData extends DataSource {
  private constructor(data: Data, folder: StoredFolder, warn: Warn) {
    super(data, folder, { name: folder.name, warn, lookEvery: WATCH_INTERVAL })
  }

  /**
   * Reads a folder and watches it from then on, until `close`. What killed processes have left in it is removed.
   *
   * @param folder path of a folder with JSON files, each with a list or an object
   * @throws TypeError when an option is of the wrong kind or does not exist
   * @throws DataError when the folder or a file cannot be read, or a file cannot be served
   */
  static open(folder: string, options: FolderDataOptions = {}): FolderData {
    requireKinds(options, { warn: ['a function that returns at once'], foreignKeySuffix: ['a string'] })
    const { warn = warnByNode, foreignKeySuffix = DEFAULTS.foreignKeySuffix } = options
    const { data, resources } = readFolder(folder, warn)
    return new FolderData(data, new StoredFolder(folder, resources, { warn, foreignKeySuffix }), warn)
  }
}

/** A folder whose files hold a resource each. */
class StoredFolder implements DataStorage {
  readonly name: string
  readonly canSave: boolean
  readonly #folder: string
  readonly #resources: Map<string, ResourceFile>
  readonly #chunks: Chunks = new WeakMap()
  readonly #options: Required<FolderDataOptions>

  /** @param resources its files, which were read */
  constructor(folder: string, resources: Map<string, ResourceFile>, options: Required<FolderDataOptions>) {
    this.#folder = path.resolve(folder)
    this.name = path.basename(this.#folder)
    this.#resources = resources
    this.#options = options
    this.canSave = this.#prepare()
  }

  get files(): readonly string[] {
    return [this.#folder, ...Array.from(this.#resources.values(), ({ options }) => options.path)]
  }

  load(saved: Data): Data | undefined {
    const present = new Set(resourcesIn(this.#folder))
    const names = [...new Set([...this.#resources.keys(), ...present])].sort()
    const isUnchanged = (name: string) =>
      present.has(name) && this.#resources.get(name)?.changedElsewhere === false
    if (names.every(isUnchanged)) return undefined
    const data = new Map<string, unknown>()
    const problems: unknown[] = []
    for (const name of names) {
      const resource = this.#resourceOf(name)
      try {
        if (present.has(name)) data.set(name, resource.load())
        else if (Object.hasOwn(saved, name)) data.set(name, resource.lose())
        // It was never served.
        else this.#resources.delete(name)
      } catch (error) {
        problems.push(error)
      }
    }
    if (problems.length > 0) throw problems[0]
    return Object.fromEntries(data)
  }

  async save(state: Data, saved: Data): Promise<void> {
    const changed = changedNames(saved, state)
    if (changed.length === 0) return
    for (const resource of this.#resources.values())
      this.#failingFor(resource, () => resource.checkReplaceable())
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
        failure: (error, file) => this.#failure(error, path.parse(file).name),
        warn: this.#options.warn,
      },
    )
  }

  #change(name: string, content: unknown) {
    if (!isResource(fileOf(name))) throw new Error(`${fileOf(name)} is no file for a resource`)
    const resource = this.#resources.get(name) ?? ResourceFile.absent(this.#optionsOf(name))
    return { resource, ...this.#failingFor(resource, () => resource.changeTo(content, this.#chunks)) }
  }

  /** Names the file in what an action throws. */
  #failingFor<Result>({ options }: ResourceFile, action: () => Result): Result {
    try {
      return action()
    } catch (error) {
      throw this.#failure(error, path.parse(options.path).name)
    }
  }

  #failure(error: unknown, resource: string): HttpError {
    const { path: place, name, warn } = this.#optionsOf(resource)
    return reportedFailure(error, { name, place, warn })
  }

  /** Whether records that a change removes refer to a collection. */
  #refersTo(collection: string, before: unknown, after: unknown): boolean {
    if (!Array.isArray(before)) return false
    const rest = new Set(Array.isArray(after) ? after : [])
    const isReference = isReferenceTo(collection, this.#options.foreignKeySuffix)
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
      this.#options.warn(more > 0 ? `${first} So it is with ${more} more of ${this.name}.` : first)
    return canSave.every((can) => can)
  }

  #resourceOf(name: string): ResourceFile {
    const resource = this.#resources.get(name) ?? new ResourceFile(this.#optionsOf(name))
    this.#resources.set(name, resource)
    return resource
  }

  #optionsOf(name: string) {
    return optionsFor(this.#folder, name, this.#options.warn)
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
  for (const name of namesIn(folder, warn)) {
    const resource = new ResourceFile(optionsFor(path.resolve(folder), name, warn))
    data.set(name, resource.load())
    resources.set(name, resource)
  }
  return { data: Object.fromEntries(data), resources }
}

function namesIn(folder: string, warn: Warn): string[] {
  try {
    if (existsSync(path.join(folder, UNNAMEABLE)))
      warn(
        `${path.join(path.basename(path.resolve(folder)), UNNAMEABLE)} is left out, because no resource can have its name: give the file another one.`,
      )
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
  return /^[^.].*\.json$/.test(file) && ![...OTHERS, UNNAMEABLE].includes(file) && !isSnapshot(file)
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
