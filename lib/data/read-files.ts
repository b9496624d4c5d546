import { isFolder } from '../files/is-folder'
import type { Warn } from '../warn'
import { WholeFile } from './file/whole-file'
import { readFolder } from './folder-data'
import { readData } from './parse-data'
import type { Data } from './valid-data'

/**
 * Reads a JSON file, or a folder of them, once.
 *
 * @throws DataError when it cannot be read or served
 */
export function readFiles(path: string, warn: Warn): Data {
  return isFolder(path) ? readFolder(path, warn).data : readData(new WholeFile(path, warn)).data
}
