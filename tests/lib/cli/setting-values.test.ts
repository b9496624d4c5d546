import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { integer, readJsonObject, seconds, tlsFiles, UsageError } from '../../../lib/cli/setting-values'
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

  it('refuses a missing file', () => {
    expect(() => readJsonObject('missing.json', 'special file')).toThrow(
      'The special file missing.json does not exist.',
    )
  })
})

it.each([
  ['30s', 30],
  ['15m', 900],
  ['1h', 3600],
  ['7d', 604_800],
])('%s is %d seconds', (text, expected) => {
  expect(seconds('--flag', text)).toBe(expected)
})

it.each(['', '0s', '1', 's', '-1h', '1.5h', '1 h', '1w', '1H', '9999999999s'])(
  '%j is no duration',
  (text) => {
    expect(() => seconds('--flag', text)).toThrow(/--flag must be .*for instance --flag 15m/)
  },
)

it.each([-1, 1.5, Number.NaN, 11])('%d is no integer up to 10', (value) => {
  expect(() => integer('--flag', value, 10)).toThrow('--flag must be an integer from 0 to 10')
})

it('HTTPS needs a certificate and its key', async () => {
  const file = await fileWith('no certificate')
  expect(tlsFiles({})).toBeUndefined()
  expect(() => tlsFiles({ cert: file })).toThrow('both --cert and --key')
  expect(() => tlsFiles({ cert: file, key: 'missing.pem' })).toThrow('missing.pem does not exist')
  expect(() => tlsFiles({ cert: file, key: file })).toThrow('in PEM')
})
