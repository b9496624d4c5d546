import { SAVES, saveDuringWrites } from './editor-saves'

describe.each(SAVES)('a data file that an editor saves by $way, with a pause of $pause ms', (save) => {
  it('holds the text of the editor or that of the server, whole, whenever they meet', async () => {
    const count = 100
    const { ours, theirs, errors } = await saveDuringWrites({ save, count, random: Math.random })
    expect(errors).toEqual([])
    expect(ours + theirs).toBe(count)
  })
})
