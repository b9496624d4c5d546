import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

const ROOT = path.join(__dirname, '../..')

/** What a function, a class or a type at the top of a file is called. Constants of a single file do not count. */
const DEFINITION =
  /^(?:export )?(?:(?:abstract |async )*(?:function|class|interface|type) (\w+)|const (\w+)(?:: [^=]+)? = (?:async )?(?:\(|function\b))/gm

function sources(): string[] {
  return ['server.ts', ...['lib', 'middlewares'].flatMap(filesIn)].filter((file) => !file.endsWith('.d.ts'))
}

/** The files of TypeScript in a folder, with slashes. */
function filesIn(folder: string): string[] {
  return readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => [folder, ...name.split(path.sep)].join('/'))
}

/** What packages import: their exports are for others. */
const ENTRY_POINTS = ['server.ts', 'lib/testing/index.ts', 'lib/testing/playwright.ts']
const EXPORT = /^export (?:abstract |async )*(?:function|class|interface|type|const) (\w+)/gm

/** An exported function or class, and no end of a comment in the line before. */
const BARE = /(?<!\*\/\n)^export (?:abstract |async )*(?:function|class) (\w+)/gm

test('one name of a function, a class or a type stands for one thing', () => {
  const places = new Map<string, string[]>()
  for (const file of sources())
    for (const [, declared, constant] of readFileSync(path.join(ROOT, file), 'utf8').matchAll(DEFINITION)) {
      const name = String(declared ?? constant)
      places.set(name, [...(places.get(name) ?? []), file])
    }
  expect(places.get('makeServer')).toEqual(['server.ts'])
  expect([...places].filter(([, files]) => new Set(files).size > 1)).toEqual([])
})

test('every function and class that a file exports has a docstring', () => {
  const bare = sources().flatMap((file) =>
    [...readFileSync(path.join(ROOT, file), 'utf8').matchAll(BARE)].map(([, name]) => `${file}: ${name}`),
  )
  expect(bare).toEqual([])
})

test('what a file exports is used by another one', () => {
  const folders = ['lib', 'middlewares', 'tests', 'bench', 'tools']
  const texts = new Map(
    ['server.ts', ...folders.flatMap(filesIn)].map((file) => [
      file,
      readFileSync(path.join(ROOT, file), 'utf8'),
    ]),
  )
  const words = new Map([...texts].map(([file, text]) => [file, new Set(text.match(/\w+/g))]))
  const isUsed = (name: string, own: string) =>
    [...words].some(([file, found]) => file !== own && found.has(name))
  const unused = sources()
    .filter((file) => !ENTRY_POINTS.includes(file))
    .flatMap((file) =>
      [...(texts.get(file) ?? '').matchAll(EXPORT)]
        .map(([, name = '']) => name)
        .filter((name) => !isUsed(name, file))
        .map((name) => `${file}: ${name}`),
    )
  expect(texts.size).toBeGreaterThan(sources().length)
  expect(unused).toEqual([])
})

test('no comment silences the compiler or lint', () => {
  // Of these, lint refuses the second alone.
  const isSilenced = (file: string) =>
    /@ts-(?:expect-error|ignore|nocheck)|biome-ignore/.test(readFileSync(path.join(ROOT, file), 'utf8'))
  expect(sources().filter(isSilenced)).toEqual([])
})
