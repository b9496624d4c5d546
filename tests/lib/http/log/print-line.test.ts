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
