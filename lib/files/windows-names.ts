/**
 * Whether a path can be another spelling of a file's name on Windows, which has several for each: short names
 * (`GIT~1` for `.git`), streams (`db.json::$DATA`), dots and spaces at the end, and backslashes. A check by
 * name would not recognise such a file.
 *
 * See https://learn.microsoft.com/windows/win32/fileio/naming-a-file.
 *
 * @param decodedPath with slashes, as in an address, but decoded
 */
export function isWindowsAlias(decodedPath: string): boolean {
  return decodedPath.split('/').some((name) => /[\\:*?"<>|]|~\d|[. ]$/.test(name))
}
