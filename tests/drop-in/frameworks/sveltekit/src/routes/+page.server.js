/** SvelteKit's own fetch forwards the cookies of the page to the same host name, whatever the port. */
export async function load({ fetch }) {
  const mock = process.env.MOCK
  const notes = await fetch(`${mock}/notes`)
  const user = await fetch(`${mock}/auth/me`)
  return { mock, notes: await notes.json(), user: user.ok ? await user.json() : undefined }
}
