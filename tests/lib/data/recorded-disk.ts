import path from 'node:path'
import { isObject } from '../../../lib/is-record'
import type { FileCall } from './file-calls'

/** The text of a file. Until it is synced, the disk may hold a part of it. */
interface Content {
  text: string
  isSynced: boolean
}

type Folder = Map<string, Content>

/** Names of files, and their texts. */
export type FolderTexts = Readonly<Record<string, string>>

/** Calls that change nothing that a power failure could undo. */
const OTHERS = [
  'chown',
  'chmod',
  'close',
  'closeSync',
  'readdirSync',
  'readFileSync',
  'realpathSync',
  'statSync',
]

/**
 * A folder as its disk may hold it: what was synced is there; of what was not, any part. It shows the order
 * of the calls, and nothing about a real disk.
 */
export class RecordedDisk {
  readonly #path: string
  #folder: Folder
  #synced: Folder
  /** The changes of the folder since it was synced. */
  #changes: ((folder: Folder) => void)[] = []

  constructor(folder: string, texts: FolderTexts) {
    this.#path = folder
    this.#folder = new Map(Object.entries(texts).map(([name, text]) => [name, { text, isSynced: true }]))
    this.#synced = new Map(this.#folder)
  }

  /** Records a call that has succeeded. */
  record({ name, parameters, file = '' }: FileCall): void {
    const [from = '', to = ''] = parameters.map((parameter) => path.basename(String(parameter)))
    if (name === 'open' || name === 'openSync') {
      if (to === 'wx') this.#put(from, { text: '', isSynced: false })
    } else if (name === 'writev') {
      const content = this.#content(path.basename(file))
      content.text += [parameters[0]].flat().filter(isObject).map(String).join('')
      content.isSynced = false
    } else if (name === 'sync' && file === this.#path) {
      this.#synced = new Map(this.#folder)
      this.#changes = []
    } else if (name === 'sync') this.#content(path.basename(file)).isSynced = true
    else if (name === 'linkSync') this.#put(to, this.#content(from))
    else if (name === 'renameSync') {
      const content = this.#content(from)
      this.#change((folder) => {
        folder.delete(from)
        folder.set(to, content)
      })
    } else if (name === 'rmSync' || name === 'unlink') this.#change((folder) => folder.delete(from))
    else if (!OTHERS.includes(name)) throw new Error(`The recording does not know ${name}.`)
  }

  /** Everything that may be found if the power fails now. */
  afterPowerFailure(): FolderTexts[] {
    return subsets(this.#changes).flatMap((changes) => {
      const folder = new Map(this.#synced)
      for (const change of changes) change(folder)
      return textsOf([...folder])
    })
  }

  #put(name: string, content: Content): void {
    this.#change((folder) => folder.set(name, content))
  }

  #change(change: (folder: Folder) => void): void {
    change(this.#folder)
    this.#changes.push(change)
  }

  #content(name: string): Content {
    const content = this.#folder.get(name)
    if (content === undefined) throw new Error(`The recording has no ${name}.`)
    return content
  }
}

function subsets<Item>([first, ...rest]: readonly Item[]): Item[][] {
  if (first === undefined) return [[]]
  return subsets(rest).flatMap((subset) => [subset, [first, ...subset]])
}

/** Each text whole, or, where it is not synced, absent or torn as well. */
function textsOf([first, ...rest]: readonly [string, Content][]): FolderTexts[] {
  if (first === undefined) return [{}]
  const [name, { text, isSynced }] = first
  const texts = isSynced ? [text] : [...new Set(['', text.slice(0, text.length / 2), text])]
  return textsOf(rest).flatMap((others) => texts.map((possible) => ({ [name]: possible, ...others })))
}
