import { cookies } from 'next/headers'
import { Notes } from './notes'

/** Next forwards no cookie by itself. */
export default async function Page() {
  return <Notes headers={{ Cookie: (await cookies()).toString() }} />
}
