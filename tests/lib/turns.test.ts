import { Turns } from '../../lib/turns'

test('tasks are done one after the other, and askers take turns', async () => {
  const turns = new Turns()
  const done: string[] = []
  let running = 0
  const ask = (asker: string, count: number) =>
    Array.from({ length: count }, (_item, index) =>
      turns.take(asker, async () => {
        running += 1
        await new Promise(setImmediate)
        done.push(`${asker}${index}`)
        expect(running).toBe(1)
        running -= 1
        return index
      }),
    )
  const results = await Promise.all([...ask('a', 4), ...ask('b', 2), ...ask('c', 1)])
  expect(results).toEqual([0, 1, 2, 3, 0, 1, 0])
  expect(done).toEqual(['a0', 'a1', 'b0', 'c0', 'a2', 'b1', 'a3'])
  expect(await turns.take('a', async () => 'later')).toBe('later')
})

test('one that fails keeps nobody waiting', async () => {
  const turns = new Turns()
  const failing = turns.take('a', () => Promise.reject(new Error('broken')))
  const next = turns.take('a', async () => 'done')
  await expect(failing).rejects.toThrow('broken')
  expect(await next).toBe('done')
})
