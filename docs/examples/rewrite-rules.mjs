// Rewrite rules of json-server, and the route that shows them.
import express from 'express'
import { bearerToken, errorHandler, listen, rewriter, showRules } from 'json-server-bearer'

const rules = { '/api/*': '/$1' }
const app = express()
app.use(rewriter(rules))
app.get('/hello', (_request, response) => response.send('Hello'))
app.use(bearerToken({ key: 'a secret of at least thirty-two bytes' }), showRules(rules), errorHandler())
const server = await listen(app, { port: 0, host: '127.0.0.1' })
const url = `http://127.0.0.1:${server.port}`
console.log(await (await fetch(`${url}/api/hello`)).text()) // Hello
console.log((await fetch(`${url}/__rules`)).status) // 401
await server.close(0)
