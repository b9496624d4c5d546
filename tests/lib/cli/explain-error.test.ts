import { explainError, UsageError } from '../../../lib/cli/explain-error'
import { DataError } from '../../../lib/data/valid-data'

const { npm_command: command, npm_lifecycle_event: script } = process.env
beforeEach(() => {
  delete process.env.npm_command
})
afterEach(() => {
  Object.assign(process.env, command && { npm_command: command }, script && { npm_lifecycle_event: script })
})

function systemError(code: string, fields: object = {}): Error {
  return Object.assign(new Error(code), { code, ...fields })
}

const TAKEN =
  'Port 3000 is taken by another program, or was a moment ago: ' +
  'stop that one, wait a minute, or choose another port, for instance '

test.each([
  ['a wrong flag', new UsageError('There is no flag --prot.'), 'There is no flag --prot.'],
  ['data that cannot be served', new DataError('db.json is empty.'), 'db.json is empty.'],
  ['a port that is taken', systemError('EADDRINUSE', { port: 3000 }), `${TAKEN}--port 33001.`],
  [
    'a port without rights to it',
    systemError('EACCES', { syscall: 'listen', port: 80 }),
    'Port 80 needs rights that you do not have, or is reserved by the system: ' +
      'choose another one, for instance --port 33001.',
  ],
  ...['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN'].map((code): [string, Error, string] => [
    `a host that is elsewhere (${code})`,
    systemError(code),
    'The host is not an address of this machine: use --host localhost or --host 0.0.0.0.',
  ]),
])('%s: one sentence', (_why, error, sentence) => {
  expect(explainError(error)).toBe(sentence)
})

test('in a script of npm, the flag stands behind two dashes', () => {
  Object.assign(process.env, { npm_command: 'run-script', npm_lifecycle_event: 'demo' })
  expect(explainError(systemError('EADDRINUSE', { port: 3000 }))).toBe(
    `${TAKEN}npm run demo -- --port 33001.`,
  )
})

test.each([
  ['an error', new Error('It was lost.'), /\bIt was lost\.\n +at /],
  ['a file without rights', systemError('EACCES', { syscall: 'open' }), /\bEACCES\n +at /],
  ['something else', 'lost', /: lost$/],
])('%s that nobody expects: where it comes from', (_why, error, lines) => {
  expect(explainError(error)).toMatch(
    /^Something unexpected went wrong\. Please report it with these lines: /,
  )
  expect(explainError(error)).toMatch(lines)
})
