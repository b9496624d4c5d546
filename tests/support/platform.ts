import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

export const isWindows = process.platform === 'win32'

/** Whether a symbolic link can be made and is followed: on Windows only by who has a right of its own, under Wine by nobody. */
export const hasLinks = !isWindows || canFollowLink()

function canFollowLink(): boolean {
  const folder = mkdtempSync(path.join(tmpdir(), 'link-'))
  try {
    writeFileSync(path.join(folder, 'file'), 'text')
    symlinkSync('file', path.join(folder, 'link'))
    return readFileSync(path.join(folder, 'link'), 'utf8') === 'text'
  } catch {
    return false
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Tests of symbolic links. */
export const testOfLinks: jest.It = hasLinks ? test : test.skip

/** Tests of who may read a file: Windows knows of a file's mode only whether it may be written. */
export const testOfModes: jest.It = isWindows ? test.skip : test

/** Tests that send a signal which a process can answer: on Windows each of them ends it at once. */
export const testOfSignals: jest.It = isWindows ? test.skip : test

/** Tests of what else Windows does not have: a folder that is synced, a file that is mounted by itself, a shell. */
export const testOfUnix: jest.It = isWindows ? test.skip : test

/** Tests that ask the system how much memory a process has. */
export const testOfLinux: jest.It = process.platform === 'linux' ? test : test.skip

/** How often a write syncs: the file, and its folder, which Windows cannot sync. */
export const SYNCS_OF_A_WRITE = isWindows ? 1 : 2

/** Tests of a second loopback address: macOS has of them only 127.0.0.1. */
export const testOfLoopbackAddresses: jest.It = process.platform === 'darwin' ? test.skip : test

/** Where a server can listen without a port: on Windows that is no file. */
export const socketPath = (file: string): string =>
  isWindows ? `\\\\.\\pipe\\${file.replace(/\W/g, '-')}` : file
