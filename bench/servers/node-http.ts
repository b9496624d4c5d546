// The ceiling: what Node itself can serve, and the load generator can ask for.
import { createServer } from 'node:http'
import { HOST } from '../exchange'
import { CONTENT_TYPE, readCommandLine } from './same-bytes'

const { port, list, user } = readCommandLine()
createServer((request, response) => {
  response.setHeader('Content-Type', CONTENT_TYPE)
  response.end(request.url === '/blogs' ? list : user)
}).listen(port, HOST)
