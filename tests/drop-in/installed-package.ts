import { execFile } from 'node:child_process'
import { copyFile, mkdir, readFile, symlink } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { ROOT } from '../support/process'

export const MODULES = path.join(ROOT, 'node_modules')
export const TSC = path.join(MODULES, 'typescript-7/bin/tsc')

/**
 * Builds the package, and installs it in the `node_modules` of a project.
 *
 * @returns the path of its command
 */
export async function installPackage(project: string): Promise<string> {
  const installed = path.join(project, 'node_modules/json-server-bearer')
  // `npm test` checks types before all tests.
  const build = [
    '-p',
    path.join(ROOT, 'tsconfig.build.json'),
    '--noCheck',
    '--outDir',
    path.join(installed, 'dist'),
  ]
  await mkdir(installed, { recursive: true })
  await promisify(execFile)(process.execPath, [TSC, ...build])
  await copyFile(path.join(ROOT, 'package.json'), path.join(installed, 'package.json'))
  await symlink(MODULES, path.join(installed, 'node_modules'))
  const { bin }: { bin: Record<string, string> } = JSON.parse(
    await readFile(path.join(installed, 'package.json'), 'utf8'),
  )
  return path.join(installed, bin['json-server-bearer'] ?? '')
}
