import { dataWarnings } from '../../../lib/cli/data-warnings'

describe('dataWarnings', () => {
  it('says nothing of ordinary data', () => {
    const data = {
      $schema: './schema.json',
      posts: [{ id: 1 }, { id: '2' }, null],
      words: ['tea'],
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
  })

  it.each([
    [[{ id: 1 }, { title: 'none' }, { id: '' }, 'text'], /"posts".*2 of 3/],
    [[{ _id: 'a1' }], /1 of 1.* --id _id/],
  ])('says that no address leads to records without id: %j', (posts, said) => {
    expect(dataWarnings({ posts }, 'db.json', 'id')).toEqual([expect.stringMatching(said)])
  })
})
