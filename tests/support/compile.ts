import { rmSync } from 'node:fs'
import { cp, mkdir, readdir, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { transformFile } from '@swc/core'
import { makeFolder } from './data'

const ROOT = path.resolve(__dirname, '../..')

/**
 * Compiles the server once for all tests of a run: ts-node would compile it again at each launch. The
 * environment variable COMPILED_SERVER tells jest's workers where it is.
 */
export default async function compileServer(): Promise<void> {
  const folder = await makeFolder()
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  await Promise.all([
    compile('server.ts', folder),
    // It holds the version.
    cp(path.join(ROOT, 'package.json'), path.join(folder, 'package.json')),
    ...['lib', 'middlewares'].map((source) => copyCompiled(source, folder)),
    symlink(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules')),
  ])
  process.env.COMPILED_SERVER = path.join(folder, 'server.js')
}

/** Compiles the TypeScript of a folder and copies everything else. */
async function copyCompiled(source: string, target: string): Promise<void> {
  await mkdir(path.join(target, source))
  const entries = await readdir(path.join(ROOT, source), { withFileTypes: true })
  await Promise.all(
    entries.map((entry) => {
      const file = path.join(source, entry.name)
      if (entry.isDirectory()) return copyCompiled(file, target)
      return file.endsWith('.ts') ? compile(file, target) : cp(path.join(ROOT, file), path.join(target, file))
    }),
  )
}

async function compile(source: string, target: string): Promise<void> {
  const { code } = await transformFile(path.join(ROOT, source), {
    jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
    module: { type: 'commonjs' },
  })
  await writeFile(path.join(target, source.replace(/\.ts$/, '.js')), code)
}
