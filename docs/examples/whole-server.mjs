// The whole server, with data that can be replaced between two tests.
import { createApp, DataError, listen, MemoryData } from 'json-server-bearer'

const data = new MemoryData({ blogs: [{ id: 1, title: 'One' }] })
const server = await listen(createApp({ data, log: false }), { port: 0, host: '127.0.0.1' })
const url = `http://127.0.0.1:${server.port}`
const refused = await fetch(`${url}/posts`)
console.log(refused.status, await refused.json()) // 401 Unauthorized
data.replace({ blogs: [] })
console.log(JSON.stringify(await (await fetch(`${url}/blogs`)).json())) // {"blogs":[]}
await server.close(0)

try {
  data.replace({ blogs: 'none' })
} catch (error) {
  console.log(error instanceof DataError, error.message) // true The data has "blogs", which is a string: it must be an array or an object.
}
