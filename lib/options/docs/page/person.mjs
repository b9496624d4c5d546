/** Who is logged in, as the page of the API and that of the data find it out. */

/** The names of a person by the fields of a login, which the start prints behind the # of the address: without a password. */
export const person = new URLSearchParams(location.hash.replace(/^#\/?/, ''))

/** The token in what an operation has responded, where it gives one: it may stand within a text, such as `Bearer ...`. */
export function tokenIn(body, operation) {
  const said = operation['x-token']?.reduce((part, name) => part?.[name], body)
  return /[\w-]+\.[\w-]+\.[\w-]+/.exec(said ?? '')?.[0]
}
