// Data that you keep yourself, by two functions: here in a file, also where others change it.
import { readFile, rename, writeFile } from 'node:fs/promises'
import { createApp, DataSource, listen } from 'json-server-bearer'

class Notes extends DataSource {
  #text = ''

  // What is there, if others have changed it. It is asked before each change.
  async load() {
    const text = await readFile('notes.json', 'utf8')
    if (text === this.#text) return undefined
    this.#text = text
    return JSON.parse(text)
  }

  // What was changed at the same time comes together. If this fails, all of it is taken back.
  async save(state) {
    const text = JSON.stringify(state)
    await writeFile('notes.json.new', text)
    await rename('notes.json.new', 'notes.json')
    this.#text = text
  }
}

await writeFile('notes.json', '{"notes":[]}')
const data = new Notes({})
await data.refresh()
const server = await listen(createApp({ data, allow: 'all', log: false }), { port: 0, host: '127.0.0.1' })
const note = { method: 'POST', body: new URLSearchParams({ text: 'Buy tea' }) }
await Promise.all([1, 2].map(() => fetch(`http://127.0.0.1:${server.port}/notes`, note)))
await server.close(0)
await data.close()
console.log(await readFile('notes.json', 'utf8')) // {"notes":[{"text":"Buy tea","id":1},{"text":"Buy tea","id":2}]}
