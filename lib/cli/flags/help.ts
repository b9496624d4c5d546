import path from 'node:path'
import type { Options } from 'yargs'
import { packageFolder } from '../../files/package'
import { COMMAND_LINE_ROWS, type Row } from './flags'

/** Characters of a line. */
const LINE_LENGTH = 100

/** Prints the table of flags. */
export function showHelp(): void {
  yargs()([])
    .scriptName(__filename.endsWith('.ts') ? 'npx ts-node server.ts' : 'json-server-bearer')
    .usage(
      '$0 [flags] [data file]\n\n' +
        'Serves a JSON file as a REST API with a login. Default data file: db.json.',
    )
    .options(Object.fromEntries(COMMAND_LINE_ROWS.map(yargsOption)))
    // yargs's own ones would end the process.
    .help(false)
    .version(false)
    .option('help', { alias: 'h', type: 'boolean', description: 'Show help' })
    .option('version', { alias: 'v', type: 'boolean', description: 'Show version number' })
    .example('$0 --watch db.json --port 3001', '')
    .example('$0 db.json --user me:secret --docs', '')
    .epilogue(`More: ${path.relative('', path.join(packageFolder(), 'README.md'))}, and what it links to.`)
    .wrap(LINE_LENGTH)
    // All other sentences are in English.
    .detectLocale(false)
    .showHelp('log')
}

/** Loads yargs for the help alone: it takes a tenth of the processor time for all other modules. */
function yargs(): typeof import('yargs') {
  return require('yargs')
}

function yargsOption({ flag, type = 'string', default: fallback, ...row }: Row): [string, Options] {
  return [flag, { ...row, type, defaultDescription: String(fallback || '') }]
}
