const path = require('node:path')
const { maxWorkers, projects, testTimeout } = require('../../../jest.config.js')

/** The fast tests, as they are, but for who compiles them. */
module.exports = {
  ...projects.find(({ displayName }) => displayName === 'fast'),
  maxWorkers,
  testTimeout,
  rootDir: path.join(__dirname, '../../..'),
  transform: { '\\.ts$': path.join(__dirname, 'compiled.cjs') },
}
