import { docsPage, execute, openOperation, says } from './docs-page'

const { data, open, testInBrowser } = docsPage({ allow: ['POST /blogs', 'PATCH /blogs/1'] })

testInBrowser('without a login, what is allowed succeeds, and the rest says 401', async () => {
  const { page } = await open(1280)
  expect(await execute(await openOperation(page, 'blogs-createBlog'))).toMatchObject({ status: '201' })
  expect(data().state.blogs).toHaveLength(2)
  const change = await openOperation(page, 'blogs-updateBlog')
  await change.getByText('Without a token only for /blogs/1.').waitFor()
  const id = change.locator('tr[data-param-name="id"] input')
  for (const [record, status] of [
    ['1', '200'],
    ['2', '401'],
  ] as const) {
    await id.fill(record)
    expect(await execute(change)).toMatchObject({ status })
    await change.getByRole('button', { name: 'Clear' }).click()
  }
  await says(page, 'This needs a token: log in first.')
})
