import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { sampleData } from './helpers'
import { makeFolder } from './temp-folder'

/** The files of a project that uses most of json-server's flags. */
export function projectFiles(): Record<string, string> {
  return {
    'db.json': JSON.stringify({
      ...sampleData(),
      // Every record of these has two properties that could be its id.
      items: [{ id: 1, _id: 'k1', name: 'Item' }],
      pages: [{ id: 1, _id: 1, name: 'Page' }],
      ratings: [
        { id: 1, _id: 1, page_id: 1, stars: 5 },
        { id: 2, _id: 2, page_id: 2, stars: 1 },
      ],
      // Long enough to be compressed.
      words: [{ id: 1, _id: 1, text: 'tea '.repeat(1000) }],
    }),
    'rules.json': JSON.stringify({ '/api/*': '/$1', '/first-word': '/words?_limit=1' }),
    'hello.js': 'module.exports = (req, res, next) => { res.setHeader("X-Hello", "one"); next() }',
    'more.js': `module.exports = [
      (req, res, next) => { res.setHeader("X-Hello", res.getHeader("X-Hello") + ", two"); next() },
      (req, res, next) => { res.setHeader("X-Hello", res.getHeader("X-Hello") + ", three"); next() },
    ]`,
    'claims.ts': `import type { RequestHandler } from 'express'
      const claims: RequestHandler = (request, response, next) => {
        response.setHeader('X-Claims', JSON.stringify(request.auth ?? null))
        next()
      }
      export default claims`,
    'files/note.txt': 'A note.',
    'snaps/.keep': '',
  }
}

/** A fresh folder with these files. The caller removes it. */
export async function makeProject(files: Readonly<Record<string, string>> = projectFiles()): Promise<string> {
  const folder = await makeFolder()
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(folder, name)
    await mkdir(path.dirname(file), { recursive: true })
    await writeFile(file, text)
  }
  return folder
}
