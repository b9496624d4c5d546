import { SANDBOX_LIMITS } from '../../../../lib/sandboxes/limits'
import { Room } from '../../../../lib/sandboxes/memory/room'

/** Room for 100 bytes and two sandboxes: one counts 10 for its journal and at most 80 for its data. */
function makeRoom() {
  const measure = jest.fn(() => 50)
  const sandboxes = [
    { name: 'empty', journal: { size: 0 }, data: { greatestSize: 0, measure: () => 0 } },
    { name: 'full', journal: { size: 10 }, data: { greatestSize: 80, measure } },
  ]
  const byName = new Map(sandboxes.map((sandbox) => [sandbox.name, sandbox]))
  return { room: new Room(byName, { ...SANDBOX_LIMITS, count: 2, size: 100 }), measure }
}

test.each([
  { added: 10, has: true, measured: 0 },
  { added: 11, has: true, measured: 1 },
  { added: 40, has: true, measured: 1 },
  { added: 41, has: false, measured: 1 },
])(
  '$added more bytes: there is room ($has), and the data was measured $measured times',
  ({ added, has, measured }) => {
    const { room, measure } = makeRoom()
    expect(room.has(added)).toBe(has)
    expect(measure).toHaveBeenCalledTimes(measured)
  },
)

test('a sandbox that is replaced leaves its bytes', () => {
  const { room, measure } = makeRoom()
  expect([room.has(100, 'full'), room.has(101, 'full')]).toEqual([true, false])
  expect(measure).not.toHaveBeenCalled()
})

const ADVICE =
  'Forget one with DELETE /__sandbox; one that is not used for 30 minutes is forgotten automatically.'

test('what there is no room for, and what to do then', () => {
  const { room } = makeRoom()
  expect(() => room.require(41)).toThrow(
    `The sandboxes together have more data than the server keeps. ${ADVICE}`,
  )
  expect(() => room.admit('third', 1)).toThrow(`There are already 2 sandboxes. ${ADVICE}`)
})
