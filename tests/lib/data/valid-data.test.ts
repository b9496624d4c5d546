import { DataError, validData } from '../../../lib/data/valid-data'

class Sample {
  list = []
}

describe('validData', () => {
  it.each([
    ['an array', [], 'The data must be an object of collections, for instance'],
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

  it.each([
    {},
    Object.assign(Object.create(null), { list: [] }),
    { list: [], single: {} },
    { single: { toJSON: () => ({ name: 'as JSON writes it' }) } },
    { $schema: 'https://example.com/schema.json', list: [] },
    { 'name with spaces': [], ünïcode: [], 'a(b': [], 'faq?': [] },
  ])('accepts %j', (value) => {
    expect(validData(value, 'The data')).toBe(value)
  })
})
