// What Express itself costs: it sends bytes that our server has sent before, without any middleware.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import express from 'express'
import { HOST } from './load'

const folder = process.argv[2] ?? '.'
const list = readFileSync(path.join(folder, 'list.json'))
const user = readFileSync(path.join(folder, 'user.json'))
const app = express()
app.get('/blogs', (_request, response) => {
  response.setHeader('Content-Type', 'application/json; charset=utf-8').end(list)
})
app.get('/:collection/:id', (_request, response) => {
  response.setHeader('Content-Type', 'application/json; charset=utf-8').end(user)
})
app.listen(0, HOST)
