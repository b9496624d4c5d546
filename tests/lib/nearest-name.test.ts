import { nearestName } from '../../lib/nearest-name'

const KNOWN = ['port', 'read-only', 'middlewares', 'id', 'routes']

it.each([
  ['prot', 'port'],
  ['poort', 'port'],
  ['prt', 'port'],
  ['PORT', 'port'],
  ['read_only', 'read-only'],
  ['middleware', 'middlewares'],
  ['route', 'routes'],
  ['rout', 'routes'],
])('%s was probably %s', (wrong, meant) => {
  expect(nearestName(wrong, KNOWN)).toBe(meant)
})

it.each(['db', 'logger', 'x', ''])('%j is near to nothing', (wrong) => {
  expect(nearestName(wrong, KNOWN)).toBeUndefined()
})
