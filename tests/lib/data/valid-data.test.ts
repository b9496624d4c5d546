import { DataError, validData } from '../../../lib/data/valid-data'

class Sample {
  list = []
}

describe('validData', () => {
  it.each([
    ['an array', [], /The data .* an array/],
    ['null', null, /The data .* null/],
    ['a string', 'x', /The data .* a string/],
    ['nothing', undefined, /The data .* undefined/],
    ['a promise', Promise.resolve({}), /The data .* a Promise/],
    ['an object of a class', new Sample(), /The data .* a Sample/],
    ['a number for a collection', { a: [], b: 1 }, /The data .*"b".* a number/],
    ['null for a collection', { b: null }, /The data .*"b".* null/],
    ['a string for a collection', { b: 'x' }, /The data .*"b".* a string/],
    ['a slash in a name', { 'a/b': [] }, /The data .*"a\/b"/],
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
