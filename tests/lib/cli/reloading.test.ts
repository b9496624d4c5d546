import { reloaded } from '../../../lib/cli/reloading'

/** What is called when a file changes, by the name of the file. */
const mockChanges = new Map<string, () => void>()
jest.mock('../../../lib/files/watch-file', () => ({
  watchFile: (file: string, onChange: () => void) => mockChanges.set(file, onChange),
}))

test('a change makes the value again; one that cannot be used leaves the last good value', () => {
  const report = jest.fn()
  const values = ['first', new Error('It cannot be used.'), 'third']
  const make = () => {
    const value = values.shift()
    if (value instanceof Error) throw value
    return value
  }
  const current = reloaded(['rules.json'], make, report)
  const change = () => mockChanges.get('rules.json')?.()
  expect(current()).toBe('first')
  change()
  expect(current()).toBe('first')
  expect(report).toHaveBeenLastCalledWith('rules.json', new Error('It cannot be used.'))
  change()
  expect(current()).toBe('third')
  expect(report).toHaveBeenLastCalledWith('rules.json')
})

test('a value that cannot be made at the start is refused', () => {
  const make = () => {
    throw new Error('It cannot be used.')
  }
  expect(() => reloaded(['rules.json'], make, jest.fn())).toThrow('It cannot be used.')
})
