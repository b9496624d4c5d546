import path from 'node:path'
import { ALL, ALL_ALONE } from '../../auth/allow-rules'
import type { Warn } from '../../warn'
import { readObject } from '../user-files'
import type { FlagSettings } from './flags'
import { parseArguments } from './parser'
import { defaultSettings, readFlags } from './read-flags'
import { UsageError } from './usage-error'

/** What the command line, the configuration file and the environment ask for together. */
export interface Settings extends FlagSettings {
  /** Path of the data file, or URL. */
  source: string
  /** The signing secret. */
  secret?: string
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
  const defaults = defaultSettings()
  const given = {
    ...configuration({ ...defaults, ...flags }.config, source, warn),
    ...readFlags({ port: env.PORT }, { written: () => 'PORT', warn }),
    ...flags,
  }
  const { allow = [], publicCollection } = given
  if (allow.length > 1 && allow.includes(ALL)) throw new UsageError(`--allow: ${ALL_ALONE}`)
  return {
    ...defaults,
    ...given,
    publicCollection: publicCollection ?? (allow.includes(ALL) ? false : defaults.publicCollection),
    source,
    secret: env.JWT_SECRET,
  }
}

/** Whether a word is neither a path nor an address: to repeat it in a sentence may show a password. */
function isLogin(word: string): boolean {
  return /^[^:/\\]{2,}:(?!\/\/)/.test(word)
}

/** The settings in the configuration file, which json-server lets be the data file. */
function configuration(file: string | undefined, source: string, warn: Warn): Partial<FlagSettings> {
  if (file === undefined || path.resolve(file) === path.resolve(source)) return {}
  const content = readObject('configuration file', file)
  // Read as a flag, a list of this one word is the word itself.
  if (Array.isArray(content.allow) && content.allow.includes(ALL))
    throw new UsageError(`"allow" in ${file}: ${ALL_ALONE}`)
  return readFlags(content, { written: (flag) => `"${flag}"`, suffix: ` in ${file}`, warn })
}
