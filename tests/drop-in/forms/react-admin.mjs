import jsonServerProvider from 'ra-data-json-server'
import { createElement } from 'react'
import { Admin, Create, Edit, List, Resource, SimpleForm, TextInput } from 'react-admin'
import { createRoot } from 'react-dom/client'

const FIELDS = ['name', 'email', 'password', 'address.city', 'role']

function Form() {
  return createElement(
    SimpleForm,
    null,
    FIELDS.map((source) => createElement(TextInput, { key: source, source })),
  )
}

function UserCreate() {
  return createElement(Create, { redirect: 'edit' }, createElement(Form))
}

function UserEdit() {
  // What is sent shows at once whether it is stored.
  return createElement(Edit, { mutationMode: 'pessimistic', redirect: false }, createElement(Form))
}

function App() {
  const users = { name: 'users', create: UserCreate, edit: UserEdit, list: List }
  const options = { dataProvider: jsonServerProvider(location.origin), disableTelemetry: true }
  return createElement(Admin, options, createElement(Resource, users))
}

createRoot(document.body.appendChild(document.createElement('div'))).render(createElement(App))
