let waiting = ''
let isPrepared = false

/**
 * Prints a line of the log on the standard output, together with the other lines of the same turn of the
 * event loop: a write for each would take 5 us. A process that ends by itself, by `process.exit` or by an
 * error prints what waits; one that is killed loses the lines of that turn.
 *
 * @param line with its newline
 */
export function printLine(line: string): void {
  if (waiting === '') setImmediate(printWaiting)
  waiting += line
  if (!isPrepared) process.on('exit', printWaiting)
  isPrepared = true
}

/**
 * Drops what cannot be written, because the disk is full or nobody reads the pipe any more. Node then emits
 * an error, in the same turn of the event loop, and without a listener that would end the process.
 */
function printWaiting(): void {
  const { stdout } = process
  stdout.write(waiting, (error) => {
    if (!error) return
    const drop = () => {}
    stdout.on('error', drop)
    setImmediate(() => stdout.off('error', drop))
  })
  waiting = ''
}
