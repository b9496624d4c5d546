/** The session of a page of either application: the tokens are in cookies, so that the page never sees them. */

/** @param changed is called whenever the server would make another page */
export async function logIn(mock, form, changed) {
  await begin(mock, await send(mock, 'login', new URLSearchParams(new FormData(form))), changed)
}

async function begin(mock, response, changed) {
  if (response.ok) {
    const { expires_in: seconds } = await response.json()
    setTimeout(async () => begin(mock, await send(mock, 'refresh'), changed), seconds * 1000)
  }
  changed()
}

function send(mock, path, body) {
  return fetch(`${mock}/${path}`, { method: 'POST', credentials: 'include', body })
}
