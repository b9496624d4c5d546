import { type FileHandle, open } from 'node:fs/promises'

/** The prototype of all file handles: a spy on it sees each sync, or makes one fail. */
export async function fileHandles(): Promise<FileHandle> {
  const handle = await open(__filename)
  await handle.close()
  return Object.getPrototypeOf(handle)
}
