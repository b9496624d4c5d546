import { readdirSync, readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { DataFile } from '../../lib/data/data-file'
import type { DataSource } from '../../lib/data/data-source'
import { FolderData } from '../../lib/data/folder-data'
import type { Data } from '../../lib/data/valid-data'
import { isFolder } from '../../lib/files/is-folder'
import type { Warn } from '../../lib/warn'

/** Where the data of a test is kept. */
export interface Kept {
  /** What is opened: a file, or a folder. */
  source: string
  /** The folder in which files are written. */
  folder: string
  /** The file that holds the tags. */
  file: string
  /** The text of that file, in data that differs from what is kept in the tags alone. */
  text: (data: Data) => string
  /** The file that holds a resource, and its text. */
  fileOf: (resource: string, data: Data) => { file: string; text: string }
  /** All that is kept now. */
  saved: () => Data
  /** The names of all files. */
  names: string[]
}

/** Makes a place for data in a folder. */
export type Keep = (folder: string, data: Data) => Promise<Kept>

export async function inFile(folder: string, data: Data): Promise<Kept> {
  const file = path.join(folder, 'db.json')
  await writeFile(file, JSON.stringify(data))
  return {
    source: file,
    folder,
    file,
    text: JSON.stringify,
    fileOf: (_resource, data) => ({ file, text: JSON.stringify(data) }),
    saved: () => JSON.parse(readFileSync(file, 'utf8')),
    names: ['db.json'],
  }
}

async function inFolder(folder: string, data: Data): Promise<Kept> {
  const source = path.join(folder, 'db')
  await mkdir(source)
  for (const [name, resource] of Object.entries(data))
    await writeFile(path.join(source, `${name}.json`), JSON.stringify(resource))
  return {
    source,
    folder: source,
    file: path.join(source, 'tags.json'),
    text: ({ tags }) => JSON.stringify(tags),
    fileOf: (resource, data) => ({
      file: path.join(source, `${resource}.json`),
      text: JSON.stringify(data[resource]),
    }),
    saved: () => contentOf(source),
    names: Object.keys(data)
      .map((name) => `${name}.json`)
      .sort(),
  }
}

/** What the JSON files of a folder hold, by their names. */
export function contentOf(folder: string): Data {
  const names = readdirSync(folder).filter((name) => name.endsWith('.json'))
  return Object.fromEntries(
    names.map((name) => [path.parse(name).name, JSON.parse(readFileSync(path.join(folder, name), 'utf8'))]),
  )
}

/** The ways in which data is kept in files: what holds for one holds for the other. */
export const KEPT: [string, Keep][] = [
  ['a data file', inFile],
  ['a folder', inFolder],
]

/** Opens a data file, or a folder of them. */
export function openKept(source: string, warn: Warn = () => {}): DataSource {
  return isFolder(source) ? FolderData.open(source, { warn }) : DataFile.open(source, { warn })
}
