import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { readJsonObject } from '../../../lib/cli/configuration'
import { UsageError } from '../../../lib/cli/setting-values'
import { tempFolders } from '../../support/temp-folder'

const newFolder = tempFolders()

async function fileWith(text: string): Promise<string> {
  const file = path.join(await newFolder(), 'file.json')
  await writeFile(file, text)
  return file
}

describe('readJsonObject', () => {
  it.each(['{"a": "b"}', '\ufeff{"a": "b"}\n'])('gives what a file with %j holds', async (text) => {
    expect(readJsonObject(await fileWith(text), 'file')).toEqual({ a: 'b' })
  })

  it.each(['', '[]', '{', 'null'])('refuses a file with %j', async (text) => {
    const file = await fileWith(text)
    expect(() => readJsonObject(file, 'special file')).toThrow(UsageError)
    expect(() => readJsonObject(file, 'special file')).toThrow(`The special file ${file}`)
  })
})
