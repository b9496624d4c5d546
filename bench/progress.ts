/** Tells on stderr how far the benchmark is. */
export class Progress {
  readonly #steps: number
  readonly #start = performance.now()
  #done = 0

  /** @param steps how many there will be in all */
  constructor(steps: number) {
    this.#steps = steps
  }

  /** To be called when a step begins. */
  step(description: string): void {
    const { stderr } = process
    const left = this.#done === 0 ? '' : `, about ${this.#secondsLeft()} s left`
    this.#done += 1
    const line = `[${this.#done}/${this.#steps}${left}] ${description}`
    if (stderr.isTTY) stderr.write(`\r\x1b[K${line.slice(0, stderr.columns - 1)}`)
    else stderr.write(`${line}\n`)
  }

  /** Clears the line for what is printed next. */
  end(): void {
    if (process.stderr.isTTY) process.stderr.write('\r\x1b[K')
  }

  #secondsLeft(): number {
    const passed = performance.now() - this.#start
    return Math.ceil(((passed / this.#done) * (this.#steps - this.#done)) / 1000)
  }
}
