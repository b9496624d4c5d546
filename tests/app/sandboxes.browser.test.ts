import { createApp } from '../../server'
import { testsInBrowser } from '../support/browser'
import { sampleData } from '../support/data'
import { serve, type TestServer } from '../support/http'

const { testInBrowser, browser } = testsInBrowser()

let api: TestServer
let site: TestServer
beforeAll(async () => {
  api = await serve(createApp({ data: sampleData(), sandboxes: true, log: false }))
  // The application under test is on another origin, as with the server of a front end's own tools.
  site = await serve((_request, response) => {
    response.setHeader('Content-Type', 'text/html')
    response.end(page(api.url))
  })
})
afterAll(async () => {
  await site?.close()
  await api?.close()
})

/** An application that knows nothing about sandboxes: it logs in, adds a post and lists all of them. */
function page(url: string): string {
  return `<!doctype html><title>Posts</title>
    <form><input name="title"><button>Add</button></form><ul></ul>
    <script>
      const api = (path, body) => fetch('${url}' + path, {
        method: body ? 'POST' : 'GET',
        headers: { 'Content-Type': 'application/json', ...(api.token && { Authorization: 'Bearer ' + api.token }) },
        ...(body && { body: JSON.stringify(body) }),
      }).then((response) => response.json())
      const show = async () => {
        const posts = await api('/posts')
        document.querySelector('ul').replaceChildren(...posts.map(({ title }) => {
          const item = document.createElement('li')
          item.textContent = title
          return item
        }))
      }
      document.querySelector('form').addEventListener('submit', async (event) => {
        event.preventDefault()
        const { title } = event.target.elements
        await api('/posts', { title: title.value })
        title.value = ''
        await show()
      })
      api('/auth/login', { email: 'ada@example.com', password: 'lovelace' })
        .then(({ access_token }) => { api.token = access_token })
        .then(show)
    </script>`
}

/** The numbers of the posts that a visitor adds. */
const COUNTS = [1, 2, 3]

/** A visitor who adds some posts, and then says what the page lists. */
async function visit(name: string): Promise<string[]> {
  const context = await browser().newContext({ extraHTTPHeaders: { 'X-Sandbox': name } })
  const visitor = await context.newPage()
  await visitor.goto(site.url)
  const items = visitor.getByRole('listitem')
  await items.filter({ hasText: 'World' }).waitFor()
  for (const count of COUNTS) {
    await visitor.getByRole('textbox').fill(`${name} ${count}`)
    await visitor.getByRole('button').click()
    await items.filter({ hasText: `${name} ${count}` }).waitFor()
  }
  const listed = await items.allTextContents()
  await context.close()
  return listed
}

const NAMES = ['Ada', 'Grace', 'Edsger', 'Barbara']
const own = (name: string) => ['Hello', 'World', ...COUNTS.map((count) => `${name} ${count}`)]

testInBrowser(
  'four visitors at once, each with their own header: none sees the records of another',
  async () => {
    const seen = await Promise.all(NAMES.map(visit))
    expect(seen).toEqual(NAMES.map(own))
  },
)
