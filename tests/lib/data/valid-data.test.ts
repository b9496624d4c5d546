import { DataError, validData } from '../../../lib/data/valid-data'

class Sample {
  list = []
}

describe('validData', () => {
  it.each([
    ['an array', [], 'The data must be an object of collections, but it is an array.'],
    ['null', null, 'The data must be an object of collections, but it is null.'],
    ['a string', 'x', 'The data must be an object of collections, but it is a string.'],
    ['nothing', undefined, 'The data must be an object of collections, but it is undefined.'],
    ['a promise', Promise.resolve({}), 'The data must be an object of collections, but it is a Promise.'],
    ['an object of a class', new Sample(), 'The data must be an object of collections, but it is a Sample.'],
    ['a number for a collection', { a: [], b: 1 }, 'The data has "b", which is a number'],
    ['null for a collection', { b: null }, 'The data has "b", which is null'],
    ['a string for a collection', { b: 'x' }, 'The data has "b", which is a string'],
    ['a slash in a name', { 'a/b': [] }, 'The data has a collection named "a/b"'],
  ])('refuses %s', (_case, value, sentence) => {
    expect(() => validData(value, 'The data')).toThrow(DataError)
    expect(() => validData(value, 'The data')).toThrow(sentence)
  })

  it('names all faults, up to five', () => {
    const faults = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`list${index}`, index]))
    expect(() => validData({ 'a/b': 1 }, 'db.json')).toThrow(
      new DataError(
        'db.json has 2 faults:\n' +
          '  It has a collection named "a/b": a name cannot hold a slash. A rewrite rule can.\n' +
          '  It has "a/b", which is a number: it must be an array or an object.',
      ),
    )
    expect(() => validData(faults(5), 'db.json')).toThrow(/^db\.json has 5 faults:(\n.*"list\d".*){5}$/)
    expect(() => validData(faults(9), 'db.json')).toThrow(
      /^db\.json has 9 faults:(\n.*"list\d".*){5}\n {2}It has 4 more\.$/,
    )
  })

  it.each([
    {},
    Object.assign(Object.create(null), { list: [] }),
    { list: [], single: {} },
    { $schema: 'https://example.com/schema.json', list: [] },
    { 'name with spaces': [], ünïcode: [], 'a(b': [], 'faq?': [] },
  ])('accepts %j', (value) => {
    expect(validData(value, 'The data')).toBe(value)
  })
})
