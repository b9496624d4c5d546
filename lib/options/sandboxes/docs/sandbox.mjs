/** The header that names a sandbox, and its name in the document. */
const HEADER = 'X-Sandbox'
/** The key of the sandbox's name in the session storage, where a reload of the page finds it. */
const NAME_KEY = 'json-server-bearer sandbox'

const CONTROLS = `
  <form>
    <label>Sandbox <input required autocomplete="off" autocapitalize="none" spellcheck="false"></label>
    <button type="submit">Enter</button>
  </form>
  <div hidden>
    <span>In the sandbox <strong></strong></span>
    <button type="button">Leave the sandbox</button>
    <p role="status"></p>
  </div>`

/** Offers the sandboxes at the top of the page: one place says which is meant, and every request names it. */
export default function offerSandboxes({ top, ask, isLoggedIn, claims, endSession }) {
  top.insertAdjacentHTML('beforeend', CONTROLS)
  const inside = top.lastElementChild
  const form = inside.previousElementSibling
  const field = form.querySelector('input')
  const note = inside.querySelector('[role=status]')
  const leave = inside.querySelector('button')
  /** The sandbox that the page is in; null for the main data. */
  let current = null
  /** What the note says before the sandbox has begun. */
  let before = 'Until the first login in it, reads show the main data.'
  /** What a name must be, once the document has said it. */
  let rule

  function enter(name) {
    current = name
    form.hidden = name !== null
    inside.hidden = name === null
    inside.querySelector('strong').textContent = name
    note.textContent = before
    if (name === null) sessionStorage.removeItem(NAME_KEY)
    else sessionStorage.setItem(NAME_KEY, name)
  }

  /** Begins the sandbox with the token of the main data: Swagger UI sends none with the public reads. */
  async function begin() {
    const problem = await ask('__sandbox/requests')
    if (current !== null && isLoggedIn()) note.textContent = problem
  }

  /** Enters or leaves a sandbox by hand: a token of another one ends there. */
  function move(name, next) {
    enter(name)
    next.focus()
    const { sandbox = name } = claims()
    if (sandbox !== name) endSession(`Your login was one in the sandbox ${sandbox}: log in again.`)
    else if (name !== null && isLoggedIn()) begin()
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
    const isName = rule === undefined || new RegExp(rule.pattern).test(field.value)
    field.setCustomValidity(isName ? '' : `The name must be ${rule.description}.`)
  })
  enter(sessionStorage.getItem(NAME_KEY))

  return {
    headers: () => (current === null ? {} : { [HEADER]: current }),
    takeDocument({ components, paths, security }) {
      rule = components.parameters[HEADER].schema
      // Where no request needs a token, any request begins a sandbox.
      if (security.length === 0) {
        before = ''
        note.textContent = ''
      }
      // Swagger UI would show a field for the header in each operation, beside the one at the top of the page.
      for (const item of Object.values(paths))
        item.parameters = item.parameters.filter(({ $ref }) => $ref !== `#/components/parameters/${HEADER}`)
    },
    takeClaims({ sandbox }) {
      // The server refuses a token together with the name of another sandbox.
      if (sandbox !== undefined) {
        enter(sandbox)
        note.textContent = ''
      } else if (current !== null) begin()
    },
  }
}
