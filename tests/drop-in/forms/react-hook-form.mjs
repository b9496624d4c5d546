import { createElement } from 'react'
import { createRoot } from 'react-dom/client'
import { useForm } from 'react-hook-form'

const FIELDS = ['name', 'email', 'password']

function App() {
  const { register, handleSubmit, setError, formState } = useForm()
  const send = async (values) => {
    const headers = { 'Content-Type': 'application/json' }
    // As docs/schemas.md has it.
    const response = await fetch('/users', { method: 'POST', headers, body: JSON.stringify(values) })
    const { errors = {} } = response.ok ? {} : await response.json()
    for (const [field, [message]] of Object.entries(errors)) setError(field, { message })
    document.title = String(response.status)
  }
  const rows = FIELDS.map((name) =>
    createElement(
      'label',
      { key: name },
      createElement('input', register(name)),
      createElement('output', { id: name }, formState.errors[name]?.message),
    ),
  )
  return createElement(
    'form',
    { onSubmit: handleSubmit(send) },
    ...rows,
    createElement('button', { type: 'submit' }),
  )
}

createRoot(document.body.appendChild(document.createElement('div'))).render(createElement(App))
