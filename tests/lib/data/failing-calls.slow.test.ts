import { testApps } from '../../support/app'
import { tempFolders } from '../../support/data'
import { SETTINGS, sweep } from './sweep'

const newFolder = tempFolders()
const { open } = testApps()

describe.each(['EIO', 'ENOSPC', 'EACCES', 'EMFILE', 'EPERM', 'EBUSY'])('calls that fail with %s', (code) => {
  it.each(SETTINGS)('break no promise in a write of $setting', async ({ keep, visit }) => {
    expect(await sweep({ open, newFolder, keep, visit, code })).toBeGreaterThan(60)
  })
})
