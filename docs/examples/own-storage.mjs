// Data that you keep yourself: here in a file, for one server. Several servers need `refresh()` as well, which takes
// over what the others have written before each change.
import { readFile, rename, writeFile } from 'node:fs/promises'
import { createApp, DataSource, groupCommit, listen } from 'json-server-bearer'

class Notes extends DataSource {
  #saved = this.state
  // What is changed in one tick is written together. If that fails, all of it is taken back.
  #changes = groupCommit({ write: () => this.#write(), rollBack: () => this.setState(this.#saved) })

  commit(state) {
    this.setState(state)
    return this.#changes.commit()
  }

  close() {
    return this.#changes.idle()
  }

  async #write() {
    const { state } = this
    await writeFile('notes.json.new', JSON.stringify(state))
    await rename('notes.json.new', 'notes.json')
    this.#saved = state
  }
}

const data = new Notes({ notes: [] })
const server = await listen(createApp({ data, allow: 'all', log: false }), { port: 0, host: '127.0.0.1' })
const note = { method: 'POST', body: new URLSearchParams({ text: 'Buy tea' }) }
await Promise.all([1, 2].map(() => fetch(`http://127.0.0.1:${server.port}/notes`, note)))
await server.close(0)
await data.close()
console.log(await readFile('notes.json', 'utf8')) // {"notes":[{"text":"Buy tea","id":1},{"text":"Buy tea","id":2}]}
