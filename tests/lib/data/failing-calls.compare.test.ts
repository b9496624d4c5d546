import { testApps } from '../../support/app'
import { tempFolders } from '../../support/data'
import { SETTINGS, sweep } from './sweep'

const newFolder = tempFolders()
const { open } = testApps()

// The other codes, and the symbolic link: failing-calls.slow.test.ts.
it.each([SETTINGS[0], SETTINGS[2]])(
  'any call to the file system may fail in a write of %s',
  async (setting) => {
    expect(await sweep({ open, newFolder, setting, code: 'EIO' })).toBeGreaterThan(30)
  },
)
