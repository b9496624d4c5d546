// A data file that code of your own changes as well. It emits `reload` when somebody else has changed it.
import { readFile, writeFile } from 'node:fs/promises'
import { DataFile } from 'json-server-bearer'

await writeFile('mine.json', '{"posts": []}')
const data = DataFile.open('mine.json')
const { state } = data
await data.commit({ ...state, posts: [...state.posts, { id: 1, title: 'Hello' }] })
console.log(JSON.parse(await readFile('mine.json', 'utf8')).posts[0].title) // Hello
await data.close()
