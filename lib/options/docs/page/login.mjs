import { ask, hasSandboxes, spec } from './api.mjs'
import { $, make } from './elements.mjs'
import { person, tokenIn } from './person.mjs'

const [path, operation] =
  Object.entries(spec.paths)
    .map(([path, { post }]) => [path, post])
    .find(([, post]) => post?.operationId.startsWith('logIn') && post.requestBody) ?? []
const [form] = Object.values(operation?.requestBody.content ?? {})

/** The fields of a login, which may lie in an object. */
function fieldsOf({ properties = {}, required = [] }, within = []) {
  return Object.entries(properties).flatMap(([name, schema]) =>
    schema.type === 'object'
      ? fieldsOf(schema, [...within, name])
      : {
          name,
          within,
          isRequired: required.includes(name),
          isSecret: schema.format === 'password',
          isNumber: schema.type === 'integer',
        },
  )
}

const fields = fieldsOf(form?.schema ?? {}).map((field) => {
  const input = make('input', {
    type: field.isSecret ? 'password' : 'text',
    autocomplete: field.isSecret ? 'current-password' : 'username',
    value: field.isSecret ? '' : (person.get(field.name) ?? ''),
    required: field.isRequired,
  })
  $('login-fields').append(make('label', {}, field.name, input))
  return { ...field, input }
})

/** Whether the form is in the place of what it leads to. */
export const isLoginShown = () => !$('login').hidden

function show(isShown) {
  $('login').hidden = !isShown
  $('log-out').hidden = isShown || !sessionStorage.token
}

/** What is shown depends on who asks, and on the sandbox. */
function begin() {
  show(false)
  dispatchEvent(new Event('begin'))
}

addEventListener('unauthorized', () => {
  if (isLoginShown()) return
  show(true)
  fields.find(({ input }) => input.value === '')?.input.focus()
})

// Another view may need none.
addEventListener('hashchange', () => show(false))

$('login').onsubmit = async (event) => {
  event.preventDefault()
  const body = {}
  for (const { name, within, input, isNumber } of fields) {
    if (input.value === '') continue
    let part = body
    for (const key of within) part = part[key] ??= {}
    part[name] = isNumber ? Number(input.value) : input.value
  }
  sessionStorage.removeItem('token')
  try {
    const response = await ask('POST', path, body)
    const token = tokenIn(response.body, operation)
    // One that travels in a cookie is the browser's.
    if (token !== undefined) sessionStorage.token = token
    $('login-refused').textContent = ''
    for (const { input, isSecret } of fields) if (isSecret) input.value = ''
    begin()
  } catch ({ status, message }) {
    $('login-refused').textContent = status === 401 ? 'Nobody has this name and password.' : message
  }
}

$('log-out').onclick = () => {
  sessionStorage.removeItem('token')
  // Nothing of what was shown is left.
  location.reload()
}

$('sandbox').hidden = !hasSandboxes
$('sandbox-name').value = sessionStorage.sandbox ?? ''
$('sandbox-name').onchange = () => {
  sessionStorage.sandbox = $('sandbox-name').value.trim()
  begin()
}
$('sandbox').onsubmit = (event) => event.preventDefault()
show(false)
