import path from 'node:path'
import { Worker } from 'node:worker_threads'
import { isRecord } from '../../../../lib/is-record'

/** Validates OpenAPI documents and lints them, for the tests of one file. */
export class OpenApiValidator {
  readonly #worker = new Worker(path.join(__dirname, 'validate-worker.mjs'))
  readonly #waiting = new Map<number, (problems: unknown) => void>()
  #last = 0

  constructor() {
    this.#worker.on('message', (message: unknown) => {
      if (!isRecord(message) || typeof message.id !== 'number') return
      this.#waiting.get(message.id)?.(message.problems)
      this.#waiting.delete(message.id)
    })
  }

  /** The errors in a document, warnings included; an empty array if there are none. */
  problems(document: unknown): Promise<unknown> {
    this.#last += 1
    const id = this.#last
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve)
      this.#worker.postMessage({ id, text: JSON.stringify(document) })
    })
  }

  async close(): Promise<void> {
    await this.#worker.terminate()
  }
}
