type Task = () => Promise<void>

/** Does tasks one after the other, of which those of several askers take turns. */
export class Turns {
  /** What each asker waits for; whose turn is next comes first. */
  readonly #waiting = new Map<string, Task[]>()
  #isWorking = false

  /**
   * Does a task when its turn has come: after those that its asker has asked for before, and between those of others.
   *
   * @returns what the task gives
   */
  take<Result>(asker: string, task: () => Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      const tasks = this.#waiting.get(asker) ?? []
      tasks.push(() => task().then(resolve, reject))
      this.#waiting.set(asker, tasks)
      if (!this.#isWorking) this.#work()
    })
  }

  async #work(): Promise<void> {
    this.#isWorking = true
    for (let [next] = this.#waiting; next !== undefined; [next] = this.#waiting) {
      const [asker, [task, ...others]] = next
      this.#waiting.delete(asker)
      if (others.length > 0) this.#waiting.set(asker, others)
      await task?.()
    }
    this.#isWorking = false
  }
}
