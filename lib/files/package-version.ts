/** The version of this package, from its package.json. */
export function packageVersion(): string {
  // By its name, because a published package holds this file one folder deeper.
  const content: { version: string } = require('json-server-bearer/package.json')
  return content.version
}
