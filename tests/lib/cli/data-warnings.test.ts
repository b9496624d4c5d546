import { dataWarnings } from '../../../lib/cli/data-warnings'

describe('dataWarnings', () => {
  it('says nothing of ordinary data', () => {
    const data = {
      $schema: './schema.json',
      posts: [{ id: 1 }, { id: '2' }, { title: 'none' }, null, { id: '' }, { id: '' }],
      profile: {},
    }
    expect(dataWarnings(data, 'db.json', 'id')).toEqual([])
  })

  it.each([{}, { $schema: './schema.json' }])('says that there are no resources: %j', (data) => {
    expect(dataWarnings(data, 'db.json', 'id')).toEqual([expect.stringContaining('no resources')])
  })

  it.each(['my posts', 'pösts', 'a#b', '50%', 'faq?', '..'])('says that no address leads to %s', (name) => {
    expect(dataWarnings({ [name]: [] }, 'db.json', 'id')).toEqual([expect.stringContaining(`"${name}"`)])
  })

  it.each([
    [1, 1],
    [1, '1'],
  ])('says that records share an id: %j and %j', (...ids) => {
    const posts = ids.map((id) => ({ key: id }))
    expect(dataWarnings({ posts }, 'db.json', 'key')).toEqual([expect.stringMatching(/"posts".* key /)])
    expect(dataWarnings({ posts }, 'db.json', 'id')).toEqual([])
  })
})
