/** The header that names a sandbox, and its name in the document. */
const HEADER = 'X-Sandbox'
/** The key of the sandbox's name in the session storage, where a reload of the page finds it. */
const NAME_KEY = 'json-server-bearer sandbox'

const form = document.getElementById('enter-sandbox')
const field = document.getElementById('sandbox-name')
const inside = document.getElementById('in-sandbox')
const leave = inside.querySelector('button')
/** What the document says of the header; undefined where the server has no sandboxes. */
let header
/** The sandbox that the page is in; null for the main data. */
let current = null

/** The header for every request. */
export function sandboxHeaders() {
  return current === null ? {} : { [HEADER]: current }
}

/**
 * Offers the sandboxes at the top, where the document has them, and returns the document without the field
 * that each operation would have for them: one place says which sandbox is meant.
 */
export function withSandboxAtTop(document) {
  header = document.components?.parameters?.[HEADER]
  if (header === undefined) return document
  enterSandbox(sessionStorage.getItem(NAME_KEY))
  const isOther = ({ $ref }) => $ref !== `#/components/parameters/${HEADER}`
  const withoutField = ([path, { parameters = [], ...item }]) => [
    path,
    { ...item, parameters: parameters.filter(isOther) },
  ]
  return { ...document, paths: Object.fromEntries(Object.entries(document.paths).map(withoutField)) }
}

/** Takes the page into a sandbox, or with null back to the main data. */
export function enterSandbox(name) {
  if (header === undefined) return
  current = name
  form.hidden = name !== null
  inside.hidden = name === null
  inside.querySelector('strong').textContent = name
  if (name === null) sessionStorage.removeItem(NAME_KEY)
  else sessionStorage.setItem(NAME_KEY, name)
}

/** Tells a listener when somebody enters or leaves a sandbox by hand. */
export function onSandboxChange(listener) {
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    enterSandbox(field.value)
    leave.focus()
    listener(current)
  })
  leave.addEventListener('click', () => {
    enterSandbox(null)
    field.value = ''
    field.focus()
    listener(current)
  })
}

field.addEventListener('input', () => {
  const { pattern, description } = header.schema
  const isName = new RegExp(pattern).test(field.value)
  field.setCustomValidity(isName ? '' : `The name must be ${description}.`)
})
