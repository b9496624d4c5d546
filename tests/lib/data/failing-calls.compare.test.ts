import { testApps } from '../../support/app'
import { tempFolders } from '../../support/data'
import { SETTINGS, sweep } from './sweep'

const newFolder = tempFolders()
const { open } = testApps()

// The other codes, and the symbolic links: failing-calls.slow.test.ts.
it.each(SETTINGS.filter(({ visit }) => !visit.includes('link')))(
  'any call to the file system may fail in a write of $setting',
  async ({ keep, visit }) => {
    expect(await sweep({ open, newFolder, keep, visit, code: 'EIO' })).toBeGreaterThan(60)
  },
  60_000,
)
