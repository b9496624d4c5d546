import { projectTitle } from '../../../lib/cli/project-title'
import { newFolder, removeFolders } from '../../support/data'

const before = process.cwd()
afterEach(async () => {
  process.chdir(before)
  await removeFolders()
})

test.each<[title: string, source: string, content: string | undefined, why: string]>([
  ['my-shop', 'mock/db.json', '{"name": "my-shop"}', 'the name of the project'],
  ['db', 'mock/db.json', undefined, 'without a package.json'],
  ['db', 'mock/db.json', '{"private": true}', 'without a name in it'],
  ['db', 'mock/db.json', '{', 'where it is broken'],
  ['shop', 'https://example.com/v1/shop.json?key=secret', undefined, 'for an address'],
])('%s is the title for %s: %s, %s', async (title, source, content) => {
  process.chdir(await newFolder(content === undefined ? {} : { 'package.json': content }))
  expect(projectTitle(source)).toBe(title)
})
