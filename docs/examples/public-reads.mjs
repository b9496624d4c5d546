// Reads that need no token: a collection, wherever its records are, and the user lookup.
import express from 'express'
import { errorHandler, listen, publicReads, userLookup } from 'json-server-bearer'

const cats = [{ id: 1, name: 'Tom' }]
const source = {
  records: () => cats,
  find: (id) => cats.find((cat) => cat.id === id),
  loaded: () => cats, // what the list shows unless it is live
}
const app = express()
app.use(publicReads({ collection: 'cats', source, live: true }))
app.use(userLookup({ users: [{ name: 'Ada', age: 36 }] }), errorHandler())
const server = await listen(app, { port: 0, host: '127.0.0.1' })
const url = `http://127.0.0.1:${server.port}`
console.log(JSON.stringify(await (await fetch(`${url}/cat/1`)).json())) // {"cat":{"id":1,"name":"Tom"}}
const users = await fetch(`${url}/api/users.php?id=0`)
console.log(JSON.stringify(await users.json())) // {"status":"OK","users":{"name":"Ada","age":36}}
await server.close(0)
