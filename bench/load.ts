import { performance } from 'node:perf_hooks'
import { LoadConnection } from './load-connection'

/** Seconds without any answer after which a server is taken for stuck. */
const PATIENCE = 60

export interface Load {
  port: number
  /** Each sends its next request when the answer to the last has come. */
  connections: number
  /** Time after which no further request is sent. */
  seconds: number
  /** Number of answers that are waited for, however slow they are. */
  fewest: number
  /** Number of requests after which no further one is sent. */
  limit: number
  /** Gives the next request, one character a byte. */
  nextRequest: () => string
  expectedStatus: number
}

export interface LoadResult {
  /** Answers per second. */
  rate: number
  answers: number
  /** The share of the time, 0 to 1, in which the generator itself was at work. At 1 it may be the bottleneck. */
  busy: number
}

/**
 * Puts load on a server and counts its answers.
 *
 * @throws Error when an answer has another status than the expected one, or a connection ends
 */
export async function putLoad(load: Load): Promise<LoadResult> {
  const run = new LoadRun(load)
  try {
    return await run.result()
  } finally {
    run.end()
  }
}

class LoadRun {
  readonly #load: Load
  #connections: LoadConnection[] = []
  readonly #unexpected = new Map<number, number>()
  #sent = 0
  #answers = 0
  #start = 0
  #lastAnswer = 0
  #finish: (error?: Error) => void = () => {}

  constructor(load: Load) {
    this.#load = load
  }

  async result(): Promise<LoadResult> {
    const finished = new Promise<void>((resolve, reject) => {
      this.#finish = (error) => (error === undefined ? resolve() : reject(error))
    })
    // A connection can fail while the others are still being made.
    finished.catch(() => {})
    this.#connections = Array.from({ length: this.#load.connections }, () => this.#newConnection())
    await Promise.all(this.#connections.map(({ connected }) => connected))
    const watchdog = setInterval(() => this.#endWhenStuck(), 1000)
    const before = performance.eventLoopUtilization()
    this.#start = this.#lastAnswer = performance.now()
    for (const connection of this.#connections) this.#send(connection)
    await finished.finally(() => clearInterval(watchdog))
    const { utilization } = performance.eventLoopUtilization(before)
    this.#checkStatus()
    // Up to the last answer, not up to now: slow answers would otherwise be cut off or counted in part.
    const seconds = (this.#lastAnswer - this.#start) / 1000
    return { rate: this.#answers / seconds, answers: this.#answers, busy: utilization }
  }

  end(): void {
    for (const connection of this.#connections) connection.end()
  }

  #newConnection(): LoadConnection {
    return new LoadConnection(this.#load.port, {
      onAnswer: (status, connection) => {
        this.#count(status)
        if (!this.#isOver()) this.#send(connection)
        else if (this.#answers === this.#sent) this.#finish()
      },
      onError: (error) => this.#finish(error),
    })
  }

  #send(connection: LoadConnection): void {
    this.#sent += 1
    connection.send(this.#load.nextRequest())
  }

  #count(status: number): void {
    this.#answers += 1
    this.#lastAnswer = performance.now()
    if (status !== this.#load.expectedStatus) {
      this.#unexpected.set(status, (this.#unexpected.get(status) ?? 0) + 1)
    }
  }

  #isOver(): boolean {
    const { seconds, limit, fewest } = this.#load
    if (this.#sent >= limit) return true
    return this.#lastAnswer - this.#start >= seconds * 1000 && this.#answers >= fewest
  }

  #endWhenStuck(): void {
    if (performance.now() - this.#lastAnswer > PATIENCE * 1000) {
      this.#finish(new Error(`No answer came for ${PATIENCE} s.`))
    }
  }

  #checkStatus(): void {
    if (this.#unexpected.size === 0) return
    const counts = [...this.#unexpected].map(([status, count]) => `${count} with ${status}`).join(', ')
    throw new Error(
      `${this.#answers} requests should have been answered with ${this.#load.expectedStatus}, but: ${counts}.`,
    )
  }
}
