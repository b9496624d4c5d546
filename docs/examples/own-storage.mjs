// Data that you keep yourself, by two functions: here in a file, also where others change it.
import { readFile, rename, writeFile } from 'node:fs/promises'
import { createApp, DataSource, listen } from 'json-server-bearer'

let known = ''

// What is there, if others have changed it. It is asked before each change.
async function load() {
  const text = await readFile('notes.json', 'utf8')
  if (text === known) return undefined
  known = text
  return JSON.parse(text)
}

// What was changed at the same time comes together. If this fails, all of it is taken back.
async function save(state) {
  const text = JSON.stringify(state)
  await writeFile('notes.json.new', text)
  await rename('notes.json.new', 'notes.json')
  known = text
}

await writeFile('notes.json', '{"notes":[]}')
const data = new DataSource({}, { load, save }, { name: 'The notes', lookEvery: 1000 })
await data.refresh()
const server = await listen(createApp({ data, allow: 'all', log: false }), { port: 0, host: '127.0.0.1' })
const note = { method: 'POST', body: new URLSearchParams({ text: 'Buy tea' }) }
await Promise.all([1, 2].map(() => fetch(`http://127.0.0.1:${server.port}/notes`, note)))
await server.close(0)
await data.close()
console.log(await readFile('notes.json', 'utf8')) // {"notes":[{"text":"Buy tea","id":1},{"text":"Buy tea","id":2}]}
