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
    expect(dataWarnings(data, 'db.json', 'id')).toEqual([
      'db.json has no resources: add a collection to it, for instance {"posts": []}.',
    ])
  })

  it.each(['my posts', 'pösts', 'a#b', '50%', 'faq?', '..'])('says that no address leads to %s', (name) => {
    expect(dataWarnings({ [name]: [] }, 'db.json', 'id')).toEqual([
      `No address leads to "${name}" in db.json: give it a name without such characters.`,
    ])
  })

  it.each([
    [1, 1],
    [1, '1'],
  ])('says that records share an id: %j and %j', (...ids) => {
    const posts = ids.map((id) => ({ key: id }))
    expect(dataWarnings({ posts }, 'db.json', 'key')).toEqual([
      expect.stringMatching(
        /^Several records of "posts" have the key .*: only the first of them can be read/,
      ),
    ])
    expect(dataWarnings({ posts }, 'db.json', 'id')).toEqual([])
  })
})
