import { Login } from './login'

export async function Notes({ headers }) {
  const mock = process.env.MOCK
  const notes = await fetch(`${mock}/notes`, { headers })
  const user = await fetch(`${mock}/auth/me`, { headers })
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
