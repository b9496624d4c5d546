const { availableParallelism } = require('node:os')

const project = {
  testEnvironment: 'node',
  transform: {
    '\\.ts$': [
      '@swc/jest',
      {
        jsc: { parser: { syntax: 'typescript' }, target: 'es2023' },
        module: { type: 'commonjs' },
        // Source maps point at the files: with a copy of each, they are two thirds of what every test file reads and compiles.
        inlineSourcesContent: false,
      },
    ],
  },
}

const tier = (name, settings = {}) => ({
  ...project,
  displayName: name,
  testMatch: [`<rootDir>/tests/**/*.${name}.test.ts`],
  ...settings,
})

const ofProcesses = {
  globalSetup: '<rootDir>/tests/support/compile.ts',
  setupFilesAfterEnv: ['<rootDir>/tests/support/long-timeout.ts'],
}

module.exports = {
  // One more than there are cores: the tests of processes wait most of their time.
  maxWorkers: availableParallelism() + 1,
  // It ends a test that hangs, and measures nothing: a busy machine may be ten times as slow.
  testTimeout: 60_000 * Number(process.env.RANDOM_RUNS ?? 1),
  // A file belongs to one tier by its name, so a path alone finds what its tier needs.
  projects: [
    {
      ...project,
      displayName: 'fast',
      testMatch: ['<rootDir>/tests/**/*.test.ts'],
      testPathIgnorePatterns: ['\\.(compare|slow|browser|registry|windows)\\.test\\.ts$'],
    },
    tier('compare'),
    tier('slow', ofProcesses),
    tier('registry', ofProcesses),
    tier('windows', ofProcesses),
    tier('browser', { setupFilesAfterEnv: ofProcesses.setupFilesAfterEnv }),
  ],
}
