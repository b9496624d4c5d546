import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

const ROOT = path.join(__dirname, '../..')

/** What a function, a class or a type at the top of a file is called. Constants of a single file do not count. */
const DEFINITION =
  /^(?:export )?(?:(?:abstract |async )*(?:function|class|interface|type) (\w+)|const (\w+)(?:: [^=]+)? = (?:async )?(?:\(|function\b))/gm

function sources(): string[] {
  const inFolders = ['lib', 'middlewares'].flatMap((folder) =>
    readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((name) =>
      [folder, ...name.split(path.sep)].join('/'),
    ),
  )
  return ['server.ts', ...inFolders].filter((file) => /(?<!\.d)\.ts$/.test(file))
}

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
