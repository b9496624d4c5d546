import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { reloaded } from '../../../lib/cli/reloading'
import { WATCH_INTERVAL } from '../../../lib/files/watch-file'
import { tempFolders } from '../../support/data'

const newFolder = tempFolders()

async function newFile(): Promise<string> {
  const file = path.join(await newFolder(), 'rules.json')
  writeFileSync(file, 'first')
  jest.useFakeTimers()
  return file
}

/** What a file holds, which cannot be used where it is "broken". */
function use(file: string): string {
  const text = readFileSync(file, 'utf8')
  if (text === 'broken') throw new Error('It cannot be used.')
  return text
}

afterEach(() => jest.useRealTimers())

test('a change makes the value again; one that cannot be used leaves the last good value', async () => {
  const file = await newFile()
  const report = jest.fn()
  const current = reloaded([file], () => use(file), report)
  const change = (text: string) => {
    writeFileSync(file, text)
    jest.advanceTimersByTime(WATCH_INTERVAL)
  }
  expect(current()).toBe('first')
  change('broken')
  expect(current()).toBe('first')
  expect(report).toHaveBeenLastCalledWith(file, new Error('It cannot be used.'))
  change('third one')
  expect(current()).toBe('third one')
  expect(report).toHaveBeenLastCalledWith(file)
})

test('a change while the value is made for the first time makes it again', async () => {
  const file = await newFile()
  const make = () => {
    const text = use(file)
    if (text === 'first') writeFileSync(file, 'the second')
    return text
  }
  const current = reloaded([file], make, jest.fn())
  expect(current()).toBe('first')
  jest.advanceTimersByTime(WATCH_INTERVAL)
  expect(current()).toBe('the second')
})

test('a value that cannot be made at the start is refused', async () => {
  const file = await newFile()
  writeFileSync(file, 'broken')
  expect(() => reloaded([file], () => use(file), jest.fn())).toThrow('It cannot be used.')
})
