/**
 * Compiles what the fast tests are made of, as jest does it, into a folder: for jest under Wine, which only reads it.
 *
 * node compile.cjs FOLDER
 */
const { mkdirSync, readdirSync, readFileSync, writeFileSync } = require('node:fs')
const path = require('node:path')
const process = require('node:process')
const { createTransformer } = require('@swc/jest')
const { projects } = require('../../../jest.config.js')

const ROOT = path.join(__dirname, '../../..')
const [, , folder] = process.argv
const [[, options]] = Object.values(projects[0].transform)

const files = ['lib', 'middlewares', 'tests'].flatMap((source) =>
  readdirSync(path.join(ROOT, source), { recursive: true }).map((name) => path.join(source, name)),
)
for (const file of ['server.ts', ...files].filter((name) => name.endsWith('.ts'))) {
  const source = readFileSync(path.join(ROOT, file), 'utf8')
  // The path of this system would be none under Wine.
  const { process: compile } = createTransformer({ ...options, sourceFileName: path.basename(file) })
  const { code } = compile(source, file, { supportsStaticESM: false })
  const target = path.join(folder, file.replace(/\.ts$/, '.js'))
  mkdirSync(path.dirname(target), { recursive: true })
  writeFileSync(target, code)
}
