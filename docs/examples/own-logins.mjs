// Logins of other shapes. The options are those of `createApp` with the same names.
import express from 'express'
import { bearerToken, errorHandler, listen, login, randomSigningKey } from 'json-server-bearer'

const key = randomSigningKey()
const users = [{ id: 1, username: 'mia', password: 'sourdough' }]
const addUser = (user) => {
  users.push({ ...user, id: users.length + 1 })
  return users.at(-1)
}
const app = express()
app.use(
  login({ key, users: () => users, addUser, login: '/api/login', signUp: '/api/register', me: '/api/me' }),
)
app.use(bearerToken({ key }))
app.use(errorHandler())

const server = await listen(app, { port: 0, host: '127.0.0.1' })
const url = `http://127.0.0.1:${server.port}`
const body = new URLSearchParams({ username: 'noah', password: 'rye' })
const response = await fetch(`${url}/api/register`, { method: 'POST', body })
const { token } = await response.json()
const me = await fetch(`${url}/api/me`, { headers: { Authorization: `Bearer ${token}` } })
console.log((await me.json()).username) // noah
await server.close(0)
