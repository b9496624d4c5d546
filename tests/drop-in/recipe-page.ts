import { readFileSync } from 'node:fs'
import path from 'node:path'
import { ROOT } from '../support/process'

const pages = ['docs/data.md', 'docs/logins.md', 'docs/front-end.md'].map(partsOf)
const [[opening = ''] = []] = pages
const recipes = pages.flatMap(([, ...sections]) => sections)

/** The recipes with code, each with its heading as the first line. */
export const sections = recipes.filter((section) => section.includes('```'))

/** What stands ahead of the headings of a page, and its sections, each with its heading as the first line. */
export function partsOf(page: string): string[] {
  return readFileSync(path.join(ROOT, page), 'utf8').split('\n## ')
}

/** The data file of the recipes. */
export const [data = ''] = blocks(opening, 'json')

/** The recipes that need a package of somebody else: `recipes.registry.test.ts` runs them. */
export const TRIED_WITH_NPM = ['Changes as they happen', 'Upload of pictures']

/** The code of one language in a part of a page. */
export function blocks(text: string, language: string): string[] {
  return Array.from(
    text.matchAll(new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 'gs')),
    ([, code = '']) => code,
  )
}

/** A recipe, by its heading. */
export function sectionOf(heading: string): string {
  return sections.find((section) => section.startsWith(`${heading}\n`)) ?? ''
}

/** The files that a recipe prints, each behind a sentence that ends with its name. */
export function filesIn(section: string): Record<string, string> {
  const named = section.matchAll(/`([\w.-]+\.\w+)`[^`\n]*:\n\n```\w+\n(.*?)```/gs)
  return Object.fromEntries(Array.from(named, ([, name = '', code = '']) => [name, code]))
}

/** The variables and the arguments in the command line of a recipe, if it prints one. */
export function commandIn(section: string): { env: Record<string, string>; args: string[] } {
  const modules = Object.keys(filesIn(section)).filter((name) => name.endsWith('.cjs'))
  const flags = section.includes('```sh') ? [] : modules.map((name) => `--middlewares ${name}`)
  const usual = ['db.json', ...flags].join(' ')
  const [, assigned = '', words = usual] =
    /((?:\w+=\S+ )*)npx --no-install json-server-bearer (.*)/.exec(section) ?? []
  return {
    env: Object.fromEntries(
      Array.from(assigned.matchAll(/(\w+)=(\S+)/g), ([, name, value]) => [name, value]),
    ),
    args: wordsIn(words),
  }
}

/** The words of a command line, without their quotes. */
function wordsIn(words: string): string[] {
  return Array.from(words.matchAll(/"([^"]*)"|(\S+)/g), ([, quoted, word = '']) => quoted ?? word)
}
