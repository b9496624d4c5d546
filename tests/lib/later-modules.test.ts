import { loadedLater, loadLaterModules } from '../../lib/later-modules'

describe('modules that are loaded later', () => {
  it('are loaded when they are asked for, and otherwise all together, but for one that fails', async () => {
    const loaded: string[] = []
    const first = loadedLater(() => loaded.push('first'))
    loadedLater(() => {
      throw new Error('no descriptors')
    })
    loadedLater(() => loaded.push('last'))
    expect(loaded).toEqual([])
    first()
    expect(loaded).toEqual(['first'])
    await loadLaterModules()
    expect(loaded).toEqual(['first', 'first', 'last'])
  })
})
