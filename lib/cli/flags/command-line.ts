import { existsSync } from 'node:fs'
import path from 'node:path'
import { ALL, ALL_ALONE, type Allow } from '../../auth/allow-rules'
import type { Warn } from '../../warn'
import { moduleFile } from './existing-files'
import { FLAGS, type FlagSettings } from './flags'
import { parseArguments } from './parser'
import { defaultSettings, readFlags } from './read-flags'
import { readObject } from './read-object'
import { UsageError } from './usage-error'

/** What the command line, the configuration file and the environment ask for together. */
export interface Settings extends Omit<FlagSettings, 'allow'> {
  allow: Allow
  /** Path of the data file, or URL. */
  source: string
  /** The signing secret. */
  secret?: string
  /** Paths of the files that the server reads: no static folder may give them out. */
  privateFiles: string[]
}

/**
 * Reads the command line. A flag comes before the environment, the environment before the configuration file.
 * An unknown flag is ignored with a warning; json-server ignores it silently.
 *
 * @param args what follows the name of the program
 * @returns undefined when the help or the version was asked for, and has been printed
 * @throws UsageError for a value that cannot be used or a file that is missing
 */
export function readCommandLine(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  warn: Warn,
): Settings | undefined {
  const parsed = parseArguments(args)
  if (parsed === undefined) return undefined
  const { values, words } = parsed
  const [source = 'db.json', ...others] = words
  if (values.user !== undefined && words.some(isLogin))
    throw new UsageError('--user takes one login: repeat it before each of them.')
  if (env.JWT_SECRET === '')
    throw new UsageError('JWT_SECRET is empty: give it a value, or unset it for a random secret.')
  const flags = readFlags(values, {
    written: (flag) => `${flag.length === 1 ? '-' : '--'}${flag}`,
    warn,
  })
  for (const other of others) warn(`${other} is ignored: the data file is ${source}.`)
  const { config = FLAGS.config.default } = flags
  const given = {
    ...configuration(config, source, warn),
    ...readFlags({ port: env.PORT }, { written: () => 'PORT', warn }),
    ...flags,
  }
  const { allow: requests = [], publicCollection } = given
  if (requests.length > 1 && requests.includes(ALL)) throw new UsageError(`--allow: ${ALL_ALONE}`)
  const allow: Allow = requests.includes(ALL) ? ALL : requests
  const defaults = defaultSettings()
  const settings = {
    ...defaults,
    ...given,
    allow,
    publicCollection: publicCollection ?? (allow === ALL ? false : defaults.publicCollection),
  }
  const { routes, middlewares, faults, cert, key } = settings
  const files = [source, config, routes, ...middlewares, faults, cert, key]
  return {
    ...settings,
    source,
    secret: env.JWT_SECRET,
    privateFiles: files.filter((file) => file !== undefined),
  }
}

/** Whether a word is neither a path nor an address: to repeat it in a sentence may show a password. */
function isLogin(word: string): boolean {
  return /^[^:/\\]{2,}:(?!\/\/)/.test(word)
}

function configuration(file: string, source: string, warn: Warn): Partial<FlagSettings> {
  // The default file need not exist, and may be the data file.
  const isUsed =
    file !== FLAGS.config.default || (existsSync(file) && path.resolve(file) !== path.resolve(source))
  if (!isUsed) return {}
  const what = 'configuration file'
  const content = readObject(moduleFile(what, file, '--config'), what)
  // Read as a flag, a list of this one word is the word itself.
  if (Array.isArray(content.allow) && content.allow.includes(ALL))
    throw new UsageError(`"allow" in ${file}: ${ALL_ALONE}`)
  return readFlags(content, { written: (flag) => `"${flag}"`, suffix: ` in ${file}`, warn })
}
