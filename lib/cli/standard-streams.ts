import type { Writable } from 'node:stream'

/**
 * Drops what the standard output and the standard error cannot take, because a disk is full or nobody reads a
 * pipe any more: an error without a listener would end the process. The next line is tried again, so that
 * lines come again when there is room.
 */
export function dropWhatCannotBeWritten(
  streams: readonly Writable[] = [process.stdout, process.stderr],
): void {
  for (const stream of streams) stream.on('error', () => {})
}
