import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { ROOT } from '../support/process'

const run = promisify(execFile)

/** The paths of all files that the package would hold, without building it. */
async function packedFiles(): Promise<string[]> {
  const flags = ['pack', '--dry-run', '--json', '--ignore-scripts']
  const { stdout } = await run('npm', flags, { cwd: ROOT })
  const [packed]: { files: { path: string }[] }[] = JSON.parse(stdout)
  return packed?.files.map((file) => file.path) ?? []
}

const pagesOf = (files: readonly string[]): string[] =>
  files.filter((file) => file.endsWith('.md') && !file.startsWith('dist/'))

it('packs the files that its pages link to', async () => {
  const files = await packedFiles()
  const pages = pagesOf(files)
  expect(pages).toContain('docs/testing.md')
  const dead: string[] = []
  for (const page of pages) {
    const text = await readFile(path.join(ROOT, page), 'utf8')
    const links = Array.from(text.matchAll(/\]\((?!https?:)([^)#]+)(?:#[^)]*)?\)/g), ([, link = '']) => link)
    const targets = links.map((link) => path.posix.join(path.posix.dirname(page), link))
    const isPacked = (target: string) =>
      files.some((file) => file === target || file.startsWith(`${target}/`))
    dead.push(...targets.filter((target) => !isPacked(target)).map((target) => `${page}: ${target}`))
  }
  expect(dead).toEqual([])
})

/** The anchors that a page has: its own, and those that GitHub makes of its headings. */
async function anchorsOf(page: string): Promise<Set<string>> {
  const text = (await readFile(path.join(ROOT, page), 'utf8')).replace(/```.*?```/gs, '')
  const headings = Array.from(text.matchAll(/^#+ (.*)$/gm), ([, heading = '']) => heading)
  const ids = Array.from(text.matchAll(/<a id="([^"]+)">/g), ([, id = '']) => id)
  const ofHeadings = headings.map((heading) =>
    heading
      .toLowerCase()
      .replace(/[^\w\s-]/g, '')
      .replaceAll(' ', '-'),
  )
  return new Set([...ids, ...ofHeadings])
}

it('has a heading for each link that leads into a page', async () => {
  const links: string[] = []
  const dead: string[] = []
  for (const page of [...pagesOf(await packedFiles()), 'CONTRIBUTING.md']) {
    const text = await readFile(path.join(ROOT, page), 'utf8')
    for (const [, link = '', anchor = ''] of text.matchAll(/\]\((?!https?:)([^)#]*)#([^)]+)\)/g)) {
      const target = link === '' ? page : path.posix.join(path.posix.dirname(page), link)
      links.push(anchor)
      if (!(await anchorsOf(target)).has(anchor)) dead.push(`${page}: ${link}#${anchor}`)
    }
  }
  expect(links.length).toBeGreaterThan(10)
  expect(dead).toEqual([])
})
