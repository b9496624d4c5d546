import path from 'node:path'

/** The package names itself here, because a published package holds this file one folder deeper. */
const MANIFEST = 'json-server-bearer/package.json'

/** The version of this package, from its package.json. */
export function packageVersion(): string {
  const { version }: { version: unknown } = require(MANIFEST)
  return String(version)
}

/** The folder of this package, which holds its texts. */
export function packageFolder(): string {
  return path.dirname(require.resolve(MANIFEST))
}
