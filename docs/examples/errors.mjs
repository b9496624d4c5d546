// Errors of your own, each with its whole response: throw one, or pass it to `next`.
import { createApp, HttpError, listen, UnauthorizedError } from 'json-server-bearer'

const teapot = (request, _response, next) => {
  if (request.path === '/vault') return next(new UnauthorizedError({ reason: 'the vault is closed' })) // for the log
  throw new HttpError({
    status: 418,
    message: 'This is a teapot: ask the coffee machine.',
    headers: { 'Retry-After': '60' },
  })
}

const allow = ['GET /tea', 'GET /vault']
const app = createApp({ data: {}, allow, middlewares: [teapot], log: false })
const server = await listen(app, { port: 0, host: '127.0.0.1' })
const url = `http://127.0.0.1:${server.port}`
const response = await fetch(`${url}/tea`)
console.log(response.status, response.headers.get('Retry-After')) // 418 60
console.log((await response.json()).error) // This is a teapot: ask the coffee machine.
console.log((await fetch(`${url}/vault`)).status) // 401
await server.close(0)
