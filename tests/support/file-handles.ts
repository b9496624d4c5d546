import { type FileHandle, open } from 'node:fs/promises'

/** What all file handles inherit: spied on, it tells of each sync, or makes one fail. */
export async function fileHandles(): Promise<FileHandle> {
  const handle = await open(__filename)
  await handle.close()
  return Object.getPrototypeOf(handle)
}
