import { execFile } from 'node:child_process'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { tempFolders } from '../../../support/data'
import { ROOT } from '../../../support/process'

const newFolder = tempFolders()

it('withLock keeps processes out of each other’s way', async () => {
  const folder = await newFolder()
  const counter = path.join(folder, 'counter')
  await writeFile(counter, '0')
  const script = `
    const { readFileSync, writeFileSync } = require('node:fs')
    const { withLock } = require(${JSON.stringify(path.join(ROOT, 'lib/data/file/lock.ts'))})
    const counter = ${JSON.stringify(counter)}
    const increase = () => writeFileSync(counter, String(Number(readFileSync(counter, 'utf8')) + 1))
    ;(async () => {
      for (let i = 0; i < 100; i += 1) await withLock(counter + '.lock', increase, console.warn)
    })()`
  const register = path.join(ROOT, 'node_modules/ts-node/register/transpile-only')
  await Promise.all(
    Array.from({ length: 3 }, () =>
      promisify(execFile)(process.execPath, ['-r', register, '-e', script], { cwd: ROOT }),
    ),
  )
  expect(await readFile(counter, 'utf8')).toBe('300')
  expect(await readdir(folder)).toEqual(['counter'])
})
