const { availableParallelism } = require('node:os')

const project = {
  testEnvironment: 'node',
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

module.exports = {
  // One more than there are cores: the tests of processes wait most of their time.
  maxWorkers: availableParallelism() + 1,
  // It ends a test that hangs, and measures nothing: a busy machine may be ten times as slow.
  testTimeout: 300_000 * Number(process.env.RANDOM_RUNS ?? 1),
  projects: [
    {
      ...project,
      displayName: 'fast',
      testMatch: ['<rootDir>/tests/**/*.test.ts'],
      testPathIgnorePatterns: ['\\.(slow|browser|registry)\\.test\\.ts$'],
    },
    ...['slow', 'registry'].map((tier) => ({
      ...project,
      displayName: tier,
      testMatch: [`<rootDir>/tests/**/*.${tier}.test.ts`],
      globalSetup: '<rootDir>/tests/support/compile.ts',
    })),
    {
      ...project,
      displayName: 'browser',
      testMatch: ['<rootDir>/tests/**/*.browser.test.ts'],
    },
  ],
}
