import { connection } from 'next/server'
import { Notes } from '../notes'

/** A page that is made for each request, and forwards nothing. */
export default async function Page() {
  await connection()
  return <Notes />
}
