/** The mock is at the same host name, whatever the port: there, this fetch forwards the cookies of the page by itself. */
export async function load({ fetch, url }) {
  const mock = process.env.MOCK
  const options = url.searchParams.get('forward') === 'nothing' ? { credentials: 'omit' } : {}
  const notes = await fetch(`${mock}/notes`, options)
  const user = await fetch(`${mock}/auth/me`, options)
  return { mock, notes: await notes.json(), user: user.ok ? await user.json() : undefined }
}
