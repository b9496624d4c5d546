import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { tlsFiles } from '../../../lib/cli/user-files'
import { tempFolders } from '../../support/data'

const newFolder = tempFolders()

async function fileWith(text: string): Promise<string> {
  const file = path.join(await newFolder(), 'file.json')
  await writeFile(file, text)
  return file
}

it('HTTPS needs a certificate and its key', async () => {
  const file = await fileWith('no certificate')
  expect(tlsFiles({})).toBeUndefined()
  expect(() => tlsFiles({ cert: file })).toThrow('--key')
  expect(() => tlsFiles({ cert: file, key: file })).toThrow('PEM')
})

it('reads both, which may stand in one file', () => {
  const pair = path.join(__dirname, '../../support/localhost.pem')
  const text = readFileSync(pair)
  expect(tlsFiles({ cert: pair, key: pair })).toEqual({ cert: text, key: text })
})
