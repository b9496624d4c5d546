import type { Warn } from '../../warn'
import { type Report, reloaded } from '../reloading'
import { type FlagOptions, type Given, ROWS } from './flags'
import { FILE } from './setting-values'

/**
 * What `createApp` takes: the settings, of which those that name files become functions that return what the
 * files hold now.
 *
 * @throws UsageError when a file cannot be used
 */
export function flagOptions(settings: Given, warn: Warn, report: Report): FlagOptions {
  const options: Record<string, unknown> = { ...settings }
  const privateFiles: string[] = []
  for (const { setting, read, load } of ROWS) {
    const named = settings[setting] ?? []
    const files = read === FILE.read ? [named].flat().map(String) : []
    privateFiles.push(...files)
    if (load)
      options[setting] = files.length > 0 ? reloaded(files, () => load(named, warn), report) : undefined
  }
  // TypeScript cannot follow a loop over the table, from which the type is made as well.
  return { ...options, privateFiles } as FlagOptions
}

/** The paths that the settings take from resources of the same name. */
export function takenPaths(settings: Given): string[] {
  return ROWS.flatMap(({ setting, takes = [] }) => (settings[setting] ? takes : []))
}

/** What the start says of the settings, a sentence for each. */
export function flagNotes(settings: Given, url: string): string[] {
  return ROWS.flatMap(({ setting, note, hint }) => {
    const value = settings[setting]
    return (value ? note?.(value, url) : hint) || []
  })
}
