const { availableParallelism } = require('node:os')

module.exports = {
  testEnvironment: 'node',
  // One more than there are cores: the tests of processes wait most of their time.
  maxWorkers: availableParallelism() + 1,
  globalSetup: '<rootDir>/tests/support/compile.ts',
  testTimeout: 120_000,
  testMatch: ['<rootDir>/tests/**/*.test.ts'],
  transform: {
    '\\.ts$': [
      '@swc/jest',
      {
        jsc: { parser: { syntax: 'typescript' }, target: 'es2023' },
        module: { type: 'commonjs' },
      },
    ],
  },
}
