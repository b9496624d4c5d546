import { cookies, headers } from 'next/headers'
import { Login } from './login'

/** What a request to the mock has of the request for the page: this fetch forwards nothing by itself. */
const FORWARDED = {
  cookie: async () => ({ Cookie: (await cookies()).toString() }),
  header: async () => {
    const sandbox = (await headers()).get('x-sandbox')
    return sandbox ? { 'X-Sandbox': sandbox } : {}
  },
  nothing: async () => ({}),
}

export default async function Page({ searchParams }) {
  const { forward = 'cookie' } = await searchParams
  const options = { headers: await FORWARDED[forward]() }
  const mock = process.env.MOCK
  const notes = await fetch(`${mock}/notes`, options)
  const user = await fetch(`${mock}/auth/me`, options)
  return (
    <>
      <ul>
        {(await notes.json()).map(({ id, text }) => (
          <li key={id}>{text}</li>
        ))}
      </ul>
      <p>{user.ok ? (await user.json()).email : 'Please log in'}</p>
      <Login mock={mock} />
    </>
  )
}
