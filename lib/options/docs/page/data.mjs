import {
  call,
  follow,
  hasSandboxes,
  idProperty,
  keepToken,
  listeners,
  loginOperation,
  readOnly,
  reasonOf,
  resources,
  spec,
} from './api.mjs'
import { showRequests } from './requests.mjs'
import { make, Table } from './table.mjs'

const $ = (id) => document.getElementById(id)
const PAGE_LENGTH = 50
/** Of a longer list, the stream is that of the page alone: it begins with all that it is of. */
const MOST_FOLLOWED = 1000

let view = { records: [], total: 0 }
let table
let following = new AbortController()
const undone = []

document.title = `${spec.info.title}: data`
$('title').textContent = spec.info.title
$('add').hidden = readOnly

// ---- What is shown: the resource and the query behind the # of the address.

function fromAddress() {
  const hash = location.hash.slice(1)
  const [path, query = ''] = hash.split('?')
  const resource =
    resources.find(({ name }) => path === `/${encodeURIComponent(name)}`) ??
    resources.find(({ name, isList }) => isList && name !== 'users') ??
    resources[0]
  return { resource, query: new URLSearchParams(query), isRequests: hash === 'requests' }
}

function toAddress(changes) {
  const { resource, query } = fromAddress()
  for (const [name, value] of Object.entries(changes))
    if (value) query.set(name, value)
    else query.delete(name)
  location.hash = `/${encodeURIComponent(resource.name)}${query.size > 0 ? `?${query}` : ''}`
}

async function route() {
  following.abort()
  following = new AbortController()
  const { resource, query, isRequests } = fromAddress()
  $('requests').hidden = !isRequests
  $('data').hidden = isRequests
  // The address of the page itself would load it again.
  $('to-data').href = `#${resource ? `/${encodeURIComponent(resource.name)}` : ''}`
  $('to-data').toggleAttribute('aria-current', !isRequests)
  $('to-requests').toggleAttribute('aria-current', isRequests)
  state()
  if (document.visibilityState === 'hidden') return
  if (isRequests) return showRequests({ signal: following.signal, onState: state })
  $('resources').replaceChildren(
    ...resources.map(({ name }) => {
      const link = make('a', { href: `#/${encodeURIComponent(name)}`, textContent: name, title: name })
      link.toggleAttribute('aria-current', name === resource?.name)
      return link
    }),
  )
  if (resource === undefined) return say('There are no resources.')
  if (table === undefined || view.resource !== resource) {
    table = new Table($('table'), {
      id: idProperty,
      sort,
      edit,
      editJson,
      editRecord,
      canEdit,
      remove: resource.isList && remove,
    })
    $('table').scrollTop = 0
  }
  if (view.resource !== resource) say('')
  view = { resource, query, records: [], total: 0 }
  const text = query.toString()
  const typed = new URLSearchParams([...query].filter(([name]) => !/^_(page|sort|order)$/.test(name)))
  if (document.activeElement !== $('search'))
    $('search').value = query.get('q') ?? [...typed].map((pair) => pair.join('=')).join('&')
  $('add').hidden = readOnly || !resource.isList
  for (const id of ['search', 'back', 'on']) $(id).hidden = !resource.isList
  if (!(await load({ flash: false }))) return
  const all = resource.isList && view.total > MOST_FOLLOWED ? listPath() : resource.path
  if (text === '' || view.total <= MOST_FOLLOWED || all !== resource.path)
    follow(all, { onEvents: changed, onState: state, signal: following.signal })
}

function listPath() {
  const { resource, query } = view
  if (!resource.isList) return resource.path
  const whole = new URLSearchParams(query)
  if (!whole.has('_page')) whole.set('_page', 1)
  whole.set('_limit', PAGE_LENGTH)
  return `${resource.path}?${whole}`
}

/** @returns whether it could be read */
async function load({ flash }) {
  const asked = view
  const response = await call(listPath())
  if (asked !== view) return false
  $('asked').textContent = `GET ${decodeURIComponent(listPath())}`
  if (!response.ok) {
    $('table').replaceChildren()
    table = undefined
    say(response.status === 401 ? '' : await reasonOf(response), { isBad: true })
    return false
  }
  const found = await response.json()
  view.records = view.resource.isList ? (Array.isArray(found) ? found : []) : [found]
  view.total = Number(response.headers.get('x-total-count') ?? view.records.length)
  draw(flash)
  return true
}

function draw(flash) {
  const { query, records, total, resource } = view
  table ??= new Table($('table'), {
    id: idProperty,
    sort,
    edit,
    editJson,
    editRecord,
    canEdit,
    remove: resource.isList && remove,
  })
  table.show(records.map(asRecord), { sorted: [query.get('_sort'), query.get('_order')], flash })
  const page = Number(query.get('_page') ?? 1)
  const first = (page - 1) * PAGE_LENGTH + 1
  const number = (count) => count.toLocaleString('en')
  $('place').textContent = !resource.isList
    ? 'one record'
    : total === 0
      ? 'no records'
      : `${number(first)}–${number(first + records.length - 1)} of ${number(total)}`
  $('back').disabled = page <= 1
  $('on').disabled = page * PAGE_LENGTH >= total
}

/** A list may hold texts: they are shown in a column of their own, and cannot be changed. */
const asRecord = (record) =>
  typeof record === 'object' && record !== null && !Array.isArray(record) ? record : { value: record }

// ---- Changes as they happen.

let isReloading = false
function reloadSoon() {
  if (isReloading) return
  isReloading = true
  setTimeout(async () => {
    isReloading = false
    await load({ flash: true })
  }, 300)
}

function changed(events) {
  const { resource, query } = view
  let mustLoad = false
  const last = new Map()
  for (const { kind, data } of events) {
    if (kind === 'loaded') {
      // The first one is what is shown already, unless something has changed in between.
      const list = resource.isList ? data : [data]
      const shown = new Map((Array.isArray(list) ? list : []).map((record) => [record?.[idProperty], record]))
      const isSame = view.records.every(
        (record) => JSON.stringify(shown.get(record?.[idProperty])) === JSON.stringify(record),
      )
      const hasAll = view.total > MOST_FOLLOWED || shown.size === view.total
      mustLoad ||= !(isSame && hasAll)
    } else last.set(data?.[idProperty], { kind, data })
  }
  for (const { kind, data } of last.values()) {
    if (kind === 'deleted') table.markDeleted(data)
    const index = view.records.findIndex((record) => record?.[idProperty] === data?.[idProperty])
    if (kind === 'updated' && index >= 0) view.records[index] = data
    const isDrawn = kind === 'updated' && index >= 0 && table.update(data)
    // A page of a sorted or filtered list can have other records now.
    mustLoad ||= (!isDrawn && (kind !== 'updated' || index >= 0)) || query.size > 0
  }
  const [newest] = [...last.values()].slice(-1)
  if (newest)
    say(
      `${newest.kind} ${resource.name}/${newest.data?.[idProperty] ?? ''}${last.size > 1 ? ` and ${last.size - 1} more` : ''}`,
    )
  if (mustLoad) reloadSoon()
}

function state(name) {
  $('live').dataset.state = name ?? ''
  $('live').textContent = name === 'live' ? 'live' : name === 'waiting' ? 'connecting…' : ''
  if (name === undefined) delete $('live').dataset.state
}

function say(text, { isBad = false } = {}) {
  $('said').textContent = text
  $('said').classList.toggle('bad', isBad)
}

// ---- Changes by hand, each with the way back.

const recordPath = (id) => {
  const { resource } = view
  return resource.isList ? `${resource.path.replace(/\/$/, '')}/${encodeURIComponent(id)}` : resource.path
}
const hasAddress = (record) =>
  ['string', 'number'].includes(typeof record?.[idProperty]) && record[idProperty] !== ''
const canEdit = (record) => !readOnly && (!view.resource.isList || hasAddress(record))

/** @returns the response, or undefined after it has said why not */
async function send(method, path, body, back) {
  const response = await call(path, { method, body })
  if (!response.ok) {
    if (response.status !== 401) say(await reasonOf(response), { isBad: true })
    else say('Not changed: log in again.', { isBad: true })
    return undefined
  }
  if (back) undone.push(back)
  $('undo').hidden = undone.length === 0
  reloadSoon()
  return response
}

async function edit(record, field, value) {
  const path = recordPath(record[idProperty])
  const had = Object.hasOwn(record, field)
  const old = record[field]
  const response = await send('PATCH', path, { [field]: value }, () =>
    had ? send('PATCH', path, { [field]: old }) : send('PUT', path, record),
  )
  if (response) {
    const changedRecord = await response.json()
    view.records = view.records.map((one) => (one === record ? changedRecord : one))
    table.update(changedRecord)
  } else draw(false)
}

async function remove(record) {
  const { path } = view.resource
  await send('DELETE', recordPath(record[idProperty]), undefined, () => send('POST', path, record))
}

function editJson(record, field) {
  openEditor(
    `${view.resource.name}/${record[idProperty] ?? ''} ${field}`,
    record[field],
    canEdit(record) && ((value) => edit(record, field, value)),
  )
}

function editRecord(record) {
  const path = recordPath(record[idProperty])
  openEditor(
    `${view.resource.name}/${record[idProperty] ?? ''}`,
    record,
    canEdit(record) && ((value) => send('PUT', path, value, () => send('PUT', path, record))),
  )
}

$('add').onclick = () => {
  const { path, name } = view.resource
  const EMPTY = { string: '', number: 0, boolean: false }
  const [, ...fields] = Object.entries(view.records.map(asRecord)[0] ?? { [idProperty]: '', name: '' })
  const blank = Object.fromEntries(
    fields.map(([field, value]) => [field, Array.isArray(value) ? [] : (EMPTY[typeof value] ?? null)]),
  )
  openEditor(`New record of ${name}`, blank, async (value) => {
    const response = await call(path, { method: 'POST', body: value })
    if (!response.ok) return say(await reasonOf(response), { isBad: true })
    const { [idProperty]: id } = await response.json()
    const gone = recordPath(id)
    undone.push(() => send('DELETE', gone))
    $('undo').hidden = false
    say(`created ${name}/${id}`)
    reloadSoon()
  })
}

function openEditor(title, value, save) {
  $('editor-title').textContent = title
  $('json').value = JSON.stringify(value, null, 2)
  $('json').readOnly = !save
  $('wrong').textContent = ''
  $('editor').querySelector('[value=save]').hidden = !save
  $('editor').querySelector('form').onsubmit = (event) => {
    if (event.submitter?.value !== 'save') return
    try {
      save(JSON.parse($('json').value))
    } catch (error) {
      event.preventDefault()
      $('wrong').textContent = error.message
    }
  }
  $('editor').showModal()
}

async function undo() {
  const back = undone.pop()
  $('undo').hidden = undone.length === 0
  if (back && (await back())) say('undone')
}
$('undo').onclick = undo
document.addEventListener('keydown', (event) => {
  if (
    !(event.ctrlKey || event.metaKey) ||
    event.key !== 'z' ||
    event.target.matches('input:not([type=checkbox]), textarea')
  )
    return
  event.preventDefault()
  undo()
})

// ---- Pages, order and search.

function sort(field) {
  const { query } = view
  const isAscending = query.get('_sort') === field && query.get('_order') === 'asc'
  const isDescending = query.get('_sort') === field && query.get('_order') === 'desc'
  toAddress({
    _sort: isDescending ? '' : field,
    _order: isDescending ? '' : isAscending ? 'desc' : 'asc',
    _page: '',
  })
}
const turn = (step) => toAddress({ _page: String(Math.max(1, Number(view.query.get('_page') ?? 1) + step)) })
$('back').onclick = () => turn(-1)
$('on').onclick = () => turn(1)
let typing
$('search').oninput = () => {
  clearTimeout(typing)
  typing = setTimeout(() => {
    const text = $('search').value.trim()
    const order = ['_sort', '_order'].flatMap((name) =>
      view.query.has(name) ? [[name, view.query.get(name)]] : [],
    )
    const query = new URLSearchParams(text.includes('=') ? text : text && { q: text })
    for (const [name, value] of order) query.set(name, value)
    location.hash = `/${encodeURIComponent(view.resource.name)}${query.size > 0 ? `?${query}` : ''}`
  }, 250)
}

// ---- The login, and the sandbox.

function askLogin() {
  following.abort()
  $('data').hidden = $('requests').hidden = true
  $('login').hidden = false
  $('log-out').hidden = true
  $('login').querySelector('input')?.focus()
}
listeners.unauthorized = askLogin

const login = loginOperation()
/** The fields of a login, which may lie in an object. */
function fieldsOf({ properties = {} }, within = []) {
  return Object.entries(properties).flatMap(([name, schema]) =>
    schema.type === 'object'
      ? fieldsOf(schema, [...within, name])
      : [{ name, within, isSecret: schema.format === 'password', type: schema.type }],
  )
}
const person = Object.fromEntries(new URLSearchParams(location.hash.replace(/^#\/?/, '')))
const inputs = fieldsOf(login?.schema ?? {}).map((field) => {
  const input = make('input', {
    required: true,
    type: field.isSecret ? 'password' : 'text',
    value: field.isSecret ? '' : (person[field.name] ?? ''),
  })
  input.autocomplete = field.isSecret ? 'current-password' : 'username'
  $('login-fields').append(make('label', {}, field.name, input))
  return { ...field, input }
})
$('login').onsubmit = async (event) => {
  event.preventDefault()
  const body = {}
  for (const { name, within, input, type } of inputs) {
    let part = body
    for (const key of within) part = part[key] ??= {}
    part[name] = type === 'integer' || type === 'number' ? Number(input.value) : input.value
  }
  listeners.unauthorized = () => {}
  sessionStorage.removeItem('token')
  const response = await call(login.path, { method: 'POST', body })
  listeners.unauthorized = askLogin
  const alert = $('login').querySelector('[role=alert]')
  if (!response.ok) {
    alert.textContent =
      response.status === 401 ? 'Nobody has this name and password.' : await reasonOf(response)
    return
  }
  alert.textContent = ''
  keepToken(login.token, await response.json().catch(() => undefined))
  for (const { input, isSecret } of inputs) if (isSecret) input.value = ''
  begin()
}
$('log-out').onclick = () => {
  sessionStorage.removeItem('token')
  undone.length = 0
  askLogin()
}
$('sandbox').hidden = !hasSandboxes
$('sandbox').name.value = sessionStorage.sandbox ?? ''
$('sandbox').onsubmit = (event) => {
  event.preventDefault()
  sessionStorage.sandbox = $('sandbox').name.value.trim()
  undone.length = 0
  begin()
}
$('sandbox').onchange = () => $('sandbox').requestSubmit()

function begin() {
  $('login').hidden = true
  $('log-out').hidden = !sessionStorage.token
  route()
}
addEventListener('hashchange', () => $('login').hidden && route())
// A browser opens six connections to a server: pages that nobody looks at keep none.
document.addEventListener('visibilitychange', () => $('login').hidden && route())
begin()
