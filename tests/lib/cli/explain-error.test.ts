import { explainError, UsageError } from '../../../lib/cli/explain-error'
import { DataError } from '../../../lib/data/valid-data'

function systemError(code: string, fields: object = {}): Error {
  return Object.assign(new Error(code), { code, ...fields })
}

test.each([
  ['a wrong flag', new UsageError('There is no flag --prot.'), /^There is no flag --prot\.$/],
  ['data that cannot be served', new DataError('db.json is empty.'), /^db\.json is empty\.$/],
  ['a port that is taken', systemError('EADDRINUSE', { port: 3000 }), /3000.* --port \d+/],
  ['a port without rights to it', systemError('EACCES', { syscall: 'listen', port: 80 }), /80.* --port \d+/],
  ...['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN'].map((code): [string, Error, RegExp] => [
    `a host that is elsewhere (${code})`,
    systemError(code),
    /--host/,
  ]),
])('%s: one sentence', (_why, error, sentence) => {
  expect(explainError(error)).toMatch(sentence)
  expect(explainError(error)).not.toContain('\n')
})

test.each([
  ['an error', new Error('It was lost.'), /\bIt was lost\.\n +at /],
  ['a file without rights', systemError('EACCES', { syscall: 'open' }), /\bEACCES\n +at /],
  ['something else', 'lost', /: lost$/],
])('%s that nobody expects: where it comes from', (_why, error, lines) => {
  expect(explainError(error)).toContain('report')
  expect(explainError(error)).toMatch(lines)
})
