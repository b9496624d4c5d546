import { setImmediate as turn } from 'node:timers/promises'
import { printLine } from '../../../../lib/http/log/print-line'

test('the lines of one turn of the event loop are one write, in their order; the next turn has its own', async () => {
  const write = jest.spyOn(process.stdout, 'write').mockReturnValue(true)
  printLine('one\n')
  printLine('two\n')
  expect(write).not.toHaveBeenCalled()
  await turn()
  printLine('three\n')
  await turn()
  expect(write.mock.calls.map(([text]) => text)).toEqual(['one\ntwo\n', 'three\n'])
  write.mockRestore()
})

test('a line that cannot be written is dropped, and leaves no listener behind', async () => {
  const { stdout } = process
  const write = jest.spyOn(stdout, 'write').mockImplementation((...[, done]: unknown[]) => {
    if (typeof done === 'function') done(new Error('Nobody reads it.'))
    return false
  })
  const before = stdout.listenerCount('error')
  printLine('lost\n')
  await turn()
  // As a stream does in the same turn: without a listener, this would throw.
  stdout.emit('error', new Error('Nobody reads it.'))
  await turn()
  expect(stdout.listenerCount('error')).toBe(before)
  write.mockRestore()
})
