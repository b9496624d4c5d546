// The login and the token check, in an application of your own.
import express from 'express'
import { bearerToken, errorHandler, listen, login, signingKey } from 'json-server-bearer'

// It is made once. `randomSigningKey()` makes one that lasts as long as the process.
const key = signingKey('a text of at least thirty-two bytes')
const users = [{ email: 'mia@example.com', password: 'sourdough' }]
const app = express()
app.use(login({ key, users: () => users, lifetime: 60 }))
app.use(bearerToken({ key }))
app.get('/whoami', (request, response) => response.send(request.auth.email))
app.use(errorHandler())

const server = await listen(app, { port: 0, host: '127.0.0.1' })
const url = `http://127.0.0.1:${server.port}`
console.log((await fetch(`${url}/whoami`)).status) // 401
const response = await fetch(`${url}/auth/login`, { method: 'POST', body: new URLSearchParams(users[0]) })
const { access_token } = await response.json()
const headers = { Authorization: `Bearer ${access_token}` }
console.log(await (await fetch(`${url}/whoami`, { headers })).text()) // mia@example.com
await server.close(0)
