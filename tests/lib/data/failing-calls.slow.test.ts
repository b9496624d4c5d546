import { testApps } from '../../support/app'
import { tempFolders } from '../../support/data'
import { SETTINGS, sweep } from './sweep'

const newFolder = tempFolders()
const { open } = testApps()

const [, LINK] = SETTINGS

// The codes that mean something to a write, and of the others one: failing-calls.test.ts has it for the rest.
test.each([
  ['EIO', LINK] as const,
  ...['EACCES', 'EPERM', 'EBUSY'].flatMap((code) => SETTINGS.map((setting) => [code, setting] as const)),
])('calls that fail with %s break no promise in a write of %s', async (code, setting) => {
  expect(await sweep({ open, newFolder, setting, code })).toBeGreaterThan(30)
})
