const { createHash } = require('node:crypto')
const { readFileSync } = require('node:fs')
const path = require('node:path')
const process = require('node:process')

/** What swc has made of a file on the other system: its own file for Windows needs a later one than Wine is. */
function compiled(file, rootDir) {
  const name = path.relative(rootDir, file).replace(/\.ts$/, '.js')
  return readFileSync(path.join(process.env.COMPILED_TESTS, name), 'utf8')
}

module.exports = {
  process: (_source, file, { config }) => ({ code: compiled(file, config.rootDir) }),
  getCacheKey: (_source, file, { config }) =>
    createHash('sha256').update(compiled(file, config.rootDir)).update(file).digest('hex'),
}
