const isWindows = process.platform === 'win32'

/** Tests of who may read a file: Windows knows of a file's mode only whether it may be written. */
export const testOfModes: jest.It = isWindows ? test.skip : test

/** Tests that send a signal which a process can answer: on Windows each of them ends it at once. */
export const testOfSignals: jest.It = isWindows ? test.skip : test

/** Where a server can listen without a port: on Windows that is no file. */
export const socketPath = (file: string): string =>
  isWindows ? `\\\\.\\pipe\\${file.replace(/\W/g, '-')}` : file
