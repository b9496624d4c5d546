// What Express itself costs: one route, without any middleware.
import express from 'express'
import { HOST } from '../exchange'
import { CONTENT_TYPE, readCommandLine } from './same-bytes'

const { port, list, user } = readCommandLine()
const app = express()
app.get('/blogs', (_request, response) => {
  response.setHeader('Content-Type', CONTENT_TYPE)
  response.end(list)
})
app.get('/:collection/:id', (_request, response) => {
  response.setHeader('Content-Type', CONTENT_TYPE)
  response.end(user)
})
app.listen(port, HOST)
