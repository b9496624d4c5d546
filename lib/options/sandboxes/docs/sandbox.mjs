/** The header that names a sandbox, and its name in the document. */
const HEADER = 'X-Sandbox'
/** The key of the sandbox's name in the session storage, where a reload of the page finds it. */
const NAME_KEY = 'json-server-bearer sandbox'

const CONTROLS = `
  <form>
    <label for="sandbox-name">Sandbox</label>
    <input id="sandbox-name" required autocomplete="off" autocapitalize="none" spellcheck="false">
    <button type="submit">Enter</button>
  </form>
  <div hidden>
    <span>In the sandbox <strong></strong></span>
    <span>Until the first login in it, reads show the main data.</span>
    <button type="button">Leave the sandbox</button>
  </div>`

/** Offers the sandboxes at the top of the page: one place says which is meant, and every request names it. */
export default function offerSandboxes({ top, document: { components, paths }, claims, endSession }) {
  top.insertAdjacentHTML('beforeend', CONTROLS)
  const form = top.querySelector('form')
  const field = form.querySelector('input')
  const inside = form.nextElementSibling
  const leave = inside.querySelector('button')
  const { pattern, description } = components.parameters[HEADER].schema
  /** The sandbox that the page is in; null for the main data. */
  let current = null

  function enter(name) {
    current = name
    form.hidden = name !== null
    inside.hidden = name === null
    inside.querySelector('strong').textContent = name
    if (name === null) sessionStorage.removeItem(NAME_KEY)
    else sessionStorage.setItem(NAME_KEY, name)
  }

  /** Enters or leaves a sandbox by hand: a token of another one ends there. */
  function move(name, next) {
    enter(name)
    next.focus()
    const { sandbox = name } = claims()
    if (sandbox !== name) endSession(`Your login was one in the sandbox ${sandbox}: log in again.`)
  }

  form.addEventListener('submit', (event) => {
    event.preventDefault()
    move(field.value, leave)
  })
  leave.addEventListener('click', () => {
    field.value = ''
    move(null, field)
  })
  field.addEventListener('input', () => {
    const isName = new RegExp(pattern).test(field.value)
    field.setCustomValidity(isName ? '' : `The name must be ${description}.`)
  })
  enter(sessionStorage.getItem(NAME_KEY))

  // Without the field that each operation would have for the header.
  for (const item of Object.values(paths))
    item.parameters = item.parameters.filter(({ $ref }) => $ref !== `#/components/parameters/${HEADER}`)

  return {
    headers: () => (current === null ? {} : { [HEADER]: current }),
    /** The server refuses a token together with the name of another sandbox. */
    takeClaims: ({ sandbox }) => sandbox !== undefined && enter(sandbox),
  }
}
