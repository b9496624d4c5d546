import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { integer, seconds, tlsFiles } from '../../../lib/cli/setting-values'
import { tempFolders } from '../../support/temp-folder'

const newFolder = tempFolders()

async function fileWith(text: string): Promise<string> {
  const file = path.join(await newFolder(), 'file.json')
  await writeFile(file, text)
  return file
}

it.each([
  ['30s', 30],
  ['15m', 900],
  ['1h', 3600],
  ['7d', 604_800],
])('%s is %d seconds', (text, expected) => {
  expect(seconds(text, '--flag')).toBe(expected)
})

it.each(['', '0s', '1', 's', '-1h', '1.5h', '1 h', '1w', '1H', '9999999999s'])(
  '%j is no duration',
  (text) => {
    expect(() => seconds(text, '--flag')).toThrow(/--flag must be .*for instance 15m/)
  },
)

it.each([-1, 1.5, Number.NaN, 11])('%d is no integer up to 10', (value) => {
  expect(() => integer(10)(value, '--flag')).toThrow('--flag must be an integer from 0 to 10')
})

it('HTTPS needs a certificate and its key', async () => {
  const file = await fileWith('no certificate')
  expect(tlsFiles({})).toBeUndefined()
  expect(() => tlsFiles({ cert: file })).toThrow('both --cert and --key')
  expect(() => tlsFiles({ cert: file, key: file })).toThrow('in PEM')
})
