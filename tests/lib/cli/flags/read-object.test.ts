import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { readObject } from '../../../../lib/cli/flags/read-object'
import { UsageError } from '../../../../lib/cli/flags/usage-error'
import { DataError } from '../../../../lib/data/valid-data'
import { tempFolders } from '../../../support/temp-folder'

const newFolder = tempFolders()

async function fileWith(text: string): Promise<string> {
  const file = path.join(await newFolder(), 'file.json')
  await writeFile(file, text)
  return file
}

describe('readObject', () => {
  it.each(['{"a": "b"}', '\ufeff{"a": "b"}\n'])('gives what a file with %j holds', async (text) => {
    expect(readObject(await fileWith(text), 'file')).toEqual({ a: 'b' })
  })

  it.each(['[]', 'null'])('refuses a file with %j', async (text) => {
    const file = await fileWith(text)
    expect(() => readObject(file, 'special file')).toThrow(UsageError)
    expect(() => readObject(file, 'special file')).toThrow(`The special file ${file} must hold an object`)
  })

  it.each(['', '{', '\n\n  oops'])('says where a file with %j is not JSON', async (text) => {
    const file = await fileWith(text)
    const line = text.split('\n').length
    expect(() => readObject(file, 'file')).toThrow(DataError)
    expect(() => readObject(file, 'file')).toThrow(`${file} is not valid JSON at line ${line}, column `)
  })
})
