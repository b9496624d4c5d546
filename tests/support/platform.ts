export const isWindows = process.platform === 'win32'

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
