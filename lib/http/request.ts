import { HttpError } from '../errors'

/**
 * Decodes a path, or a part of one.
 *
 * @throws HttpError 400 when a percent sign in it does not begin the code of a UTF-8 character
 */
export function decodePath(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    throw new HttpError(400, 'The path is not valid: a % in it must begin the code of a UTF-8 character.')
  }
}
