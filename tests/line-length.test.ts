import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { ROOT } from './support/process'

/** As in `biome.json`, which wraps neither comments nor strings. */
const LONGEST = 110

/** The program's own files: a test may quote a longer line. */
const isOfProgram = (file: string) => /^(?:server\.ts|lib|middlewares)/.test(file)
const isComment = (line: string) => /^\s*(?:\/\*\*|\*|\/\/)/.test(line)

test(`no line of the program, and no comment in any file, is longer than ${LONGEST} characters`, () => {
  const files = execFileSync('git', ['ls-files', '*.ts'], { cwd: ROOT, encoding: 'utf8' }).trim().split('\n')
  const tooLong = files.flatMap((file) =>
    readFileSync(path.join(ROOT, file), 'utf8')
      .split('\n')
      .map((line, index) => ({ line, place: `${file}:${index + 1}` }))
      .filter(({ line }) => line.length > LONGEST && (isOfProgram(file) || isComment(line)))
      .map(({ place }) => place),
  )
  expect(tooLong).toEqual([])
})
