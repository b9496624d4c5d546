import { ask, follow, idProperty, readOnly, readResources, resources, spec } from './api.mjs'
import { openEditor } from './editor.mjs'
import { $, make } from './elements.mjs'
import { isLoginShown } from './login.mjs'
import { showRequests } from './requests.mjs'
import { Table } from './table.mjs'

const PAGE_LENGTH = 50
/** Of a longer list, the stream is that of the page alone: a stream begins with all that it is of. */
const MOST_FOLLOWED = 1000
/** Milliseconds in which several changes lead to one request. */
const PAUSE = { reload: 300, search: 250 }
/** What a new record begins with, by the kinds of the fields of another. */
const EMPTY = { string: '', number: 0, boolean: false }

/** What is shown: `resource`, `query`, the `table`, its `records`, and how many there are on all pages. */
let view
let isRequests = false
let following = new AbortController()
/** The opposite of each change that was made here: `method`, `path`, `body`, and what to say of it. */
let opposites = []

// ---- The address: behind the #, it has the resource and the query.

function addressOf({ name }, query = '') {
  return `#/${encodeURIComponent(name)}${String(query) === '' ? '' : `?${query}`}`
}

function readAddress() {
  const { hash } = location
  isRequests = hash === '#requests'
  const [start, query] = hash.split('?')
  const resource =
    resources.find((one) => addressOf(one) === start) ??
    resources.find(({ name, isList }) => isList && name !== 'users') ??
    resources[0]
  if (resource !== undefined && !(isRequests && view)) open(resource, new URLSearchParams(query))
  $('data').hidden = isRequests
  $('requests').hidden = !isRequests
  $('to-data').ariaCurrent = isRequests ? null : 'page'
  $('to-requests').ariaCurrent = isRequests ? 'page' : null
  watch()
}

function open(resource, query) {
  const { name, isList } = resource
  const isSame = view?.resource.name === name && view.resource.isList === isList
  const change = { editRecord, canEdit, edit, editJson, giveUp: () => say(''), id: idProperty }
  const table = isSame
    ? view.table
    : new Table({ ...change, ...(isList && { sort }), ...(isList && !readOnly && { remove }) })
  view = { resource, query, table, records: [], total: Number.POSITIVE_INFINITY, isShown: false }
  // The address of the page itself would load it again.
  $('to-data').href = addressOf(resource, query)
  $('resources').replaceChildren(
    ...resources.map((one) =>
      make('a', { href: addressOf(one), ariaCurrent: one === resource ? 'true' : null }, one.name),
    ),
  )
  $('add').hidden = readOnly || !isList
  for (const id of ['search', 'back', 'on']) $(id).hidden = !isList
  if (document.activeElement !== $('search')) $('search').value = searched()
  if (isSame) return
  say('')
  $('table').replaceChildren(table.element)
}

/** Shows which resources there are now: one can be new, or gone. */
async function updateResources() {
  if (document.visibilityState === 'hidden' || !(await readResources())) return
  // Nothing of what was shown is left.
  if (resources.length === 0) return location.reload()
  const before = view?.resource.name
  readAddress()
  if (before !== undefined && !resources.some(({ name }) => name === before))
    say(`There is no "${before}" any more.`)
}

function queryWithout(...names) {
  const others = new URLSearchParams(view.query)
  for (const name of names) others.delete(name)
  return others
}

function queryWith(values) {
  const query = queryWithout(...Object.keys(values))
  for (const [name, value] of Object.entries(values)) if (value !== undefined) query.set(name, value)
  return query
}

function searchQuery() {
  return queryWithout('_page', '_sort', '_order')
}

/** What is searched for, as it can be typed: only what means something in a query is encoded. */
function searched() {
  const query = searchQuery()
  const text = query.get('q')
  if (query.size === 1 && text !== null && !text.includes('=')) return text
  const typed = (part) => part.replace(/[%&+=]/g, encodeURIComponent)
  return Array.from(query, (pair) => pair.map(typed).join('=')).join('&')
}

// ---- What the server gives, now and as it changes.

function pagePath() {
  const { resource, query } = view
  if (!resource.isList) return resource.path
  return `${resource.path}?${queryWith({ _page: query.get('_page') ?? '1', _limit: PAGE_LENGTH })}`
}

function streamPath() {
  const { resource, total } = view
  if (!resource.isList || total > MOST_FOLLOWED) return pagePath()
  const filters = searchQuery()
  return filters.size === 0 ? resource.path : `${resource.path}?${filters}`
}

/** Begins to show what the address names, and what becomes of it. Pages that nobody looks at keep no connection. */
async function watch() {
  following.abort()
  following = new AbortController()
  const { signal } = following
  showState()
  if (document.visibilityState === 'hidden' || isLoginShown()) return
  if (isRequests) showRequests({ signal, onState: showState })
  else if (view === undefined) say('There are no resources.')
  else {
    await load()
    // Where the server does not respond, the stream waits for it.
    if (!signal.aborted) follow(streamPath(), { signal, onEvents: showChanges, onState: showState })
  }
}

async function load() {
  const asked = view
  $('asked').textContent = `GET ${decodeURI(pagePath())}`
  try {
    const { body, headers } = await ask('GET', pagePath())
    if (asked !== view) return
    view.records = view.resource.isList ? [body].flat() : [body]
    view.total = Number(headers.get('x-total-count') ?? view.records.length)
    draw()
  } catch ({ status, message }) {
    if (asked === view && status !== 401) say(message, true)
  }
}

/** Asks again soon, once for all changes until then. */
async function reload(asked = view) {
  asked.isStale = true
  if (asked.isReloading) return
  asked.isReloading = true
  while (asked.isStale && asked === view) {
    await new Promise((resolve) => setTimeout(resolve, PAUSE.reload))
    asked.isStale = false
    if (asked === view && !isLoginShown()) await load()
  }
  asked.isReloading = false
}

function draw() {
  const { resource, query, records, total, table } = view
  table.show(records.map(asRecord), {
    sorted: [query.get('_sort'), query.get('_order')],
    flash: view.isShown,
  })
  view.isShown = true
  const first = (pageNumber() - 1) * PAGE_LENGTH + 1
  const [from, to, all] = [first, first + records.length - 1, total].map((count) =>
    count.toLocaleString('en'),
  )
  $('place').textContent = !resource.isList
    ? 'one record'
    : records.length === 0
      ? `none of ${all}`
      : `${from}–${to} of ${all}`
  $('back').disabled = first === 1
  $('on').disabled = first - 1 + PAGE_LENGTH >= total
}

/** A list may hold texts: they are shown in a column of their own, and cannot be changed. */
function asRecord(record) {
  return typeof record === 'object' && record !== null && !Array.isArray(record) ? record : { value: record }
}

const nameOf = (record) =>
  [view.resource.name, ...(view.resource.isList ? [record?.[idProperty] ?? ''] : [])].join('/')

function showChanges(events) {
  const { resource, records, table, query } = view
  // Of several changes of a record, the last one counts.
  const last = new Map()
  for (const { kind, data } of events)
    if (kind === 'loaded') {
      if (isShown(data)) continue
      reload()
      updateResources()
    } else last.set(data?.[idProperty], { kind, data })
  for (const [id, { kind, data }] of last) {
    const index = resource.isList ? records.findIndex((record) => record?.[idProperty] === id) : 0
    if (kind === 'deleted') table.markDeleted(index)
    else if (kind === 'updated' && index >= 0) {
      records[index] = data
      table.update(index, data)
    }
    // The page can have other records now.
    if (kind !== 'updated' || query.has('_sort')) reload()
  }
  const [newest] = [...last.values()].slice(-1)
  if (newest === undefined) return
  const text = `${newest.kind} ${nameOf(newest.data)}`
  // What was done here has been said already, and more of it.
  if (!$('said').textContent.startsWith(text)) say(last.size > 1 ? `${text} and ${last.size - 1} more` : text)
}

/** Whether a stream begins with what is shown: something may have changed since it was asked for. */
function isShown(whole) {
  const { records, total, resource } = view
  const texts = new Set([whole].flat().map((record) => JSON.stringify(record)))
  const hasAll = !resource.isList || total > MOST_FOLLOWED || whole.length === total
  return hasAll && records.every((record) => texts.has(JSON.stringify(record)))
}

function showState(state) {
  $('live').className = state ?? ''
  $('live').textContent = state === 'waiting' ? 'connecting…' : (state ?? '')
  // What was refused while the server was gone is shown now.
  if (state === 'live' && $('said').className === 'refused') say('')
}

function say(text, isRefusal = false) {
  $('said').textContent = text
  $('said').className = isRefusal ? 'refused' : ''
}

// ---- Changes, each with its opposite.

function pathOf(record) {
  const { path, isList } = view.resource
  return isList ? `${path.replace(/\/$/, '')}/${encodeURIComponent(record?.[idProperty])}` : path
}

/** An address cannot end with a dot or two: a browser leaves them out. */
function canEdit(record) {
  const id = record[idProperty]
  const hasAddress = typeof id === 'number' || (typeof id === 'string' && !/^\.{0,2}$/.test(id))
  return !readOnly && (!view.resource.isList || hasAddress)
}

/**
 * Sends a change, and remembers what takes it back.
 *
 * @param opposite makes that of the record in the response
 * @throws Refusal
 */
async function change(method, path, body, text, opposite) {
  const { body: answer } = await ask(method, path, body).catch((refusal) => {
    say(refusal.status === 401 ? 'Not changed: log in, and do it again.' : refusal.message, true)
    throw refusal
  })
  if (opposite !== undefined) opposites.push(opposite(answer))
  $('undo').hidden = opposites.length === 0
  // At once, because the opposite of the next change is made of what is shown.
  if (method !== 'DELETE') showAnswer(path, answer)
  say(text(answer))
  reload()
  return answer
}

function showAnswer(path, answer) {
  const { records, table } = view
  const index = records.findIndex((record) => pathOf(record) === path)
  if (index < 0 || typeof answer !== 'object') return
  records[index] = answer
  table.update(index, answer)
}

/** It begins as what the stream says of the same change, which would else take its place. */
const undoneUpdate = (record) => `updated ${nameOf(record)}, undone`

/** @returns why it was refused; undefined after it was saved */
async function edit(record, field, value) {
  const path = pathOf(record)
  const said = undoneUpdate(record)
  const opposite = Object.hasOwn(record, field)
    ? { method: 'PATCH', path, body: { [field]: record[field] }, said }
    : { method: 'PUT', path, body: record, said }
  const text = () => `updated ${nameOf(record)}`
  try {
    await change('PATCH', path, { [field]: value }, text, () => opposite)
  } catch (refusal) {
    return refusal.of(field)
  }
}

function remove(record) {
  const { path } = view.resource
  const name = nameOf(record)
  const said = `created ${name} again, at the end of the list; what was deleted together with it is not back`
  const opposite = { method: 'POST', path, body: record, said }
  change(
    'DELETE',
    pathOf(record),
    undefined,
    () => `deleted ${name}`,
    () => opposite,
  ).catch(() => {})
}

function editJson(record, field) {
  const save = async (value) => {
    const reason = await edit(record, field, value)
    if (reason !== undefined) throw new Error(reason)
  }
  openEditor(`${nameOf(record)}: ${field}`, record[field], canEdit(record) ? save : undefined)
}

function editRecord(record) {
  const path = pathOf(record)
  const save = (value) =>
    change(
      'PUT',
      path,
      value,
      () => `updated ${nameOf(record)}`,
      () => ({ method: 'PUT', path, body: record, said: undoneUpdate(record) }),
    )
  openEditor(nameOf(record), record, canEdit(record) ? save : undefined)
}

/** Whether nobody owns what is added now: a login of `--user` is no record, and says whose a new one is. */
function choosesOwner() {
  return ask('GET', '/auth/me').then(
    ({ body }) => body?.[idProperty] === undefined,
    () => false,
  )
}

$('add').onclick = async () => {
  const { resource, records } = view
  const { [idProperty]: _, ...fields } = records.length > 0 ? asRecord(records[0]) : { name: '' }
  const blank = Object.entries(fields).map(([field, value]) => [
    field,
    Array.isArray(value) ? [] : (EMPTY[typeof value] ?? null),
  ])
  const { ownerField } = resource
  if (ownerField !== undefined) blank.push([ownerField, (await choosesOwner()) ? null : undefined])
  if (isLoginShown()) return
  openEditor(`New record of ${resource.name}`, Object.fromEntries(blank), (value) =>
    change(
      'POST',
      resource.path,
      value,
      (record) => `created ${nameOf(record)}`,
      (record) => ({
        method: 'DELETE',
        path: pathOf(record),
        said: `deleted ${nameOf(record)}, undone`,
      }),
    ),
  )
}

async function undo() {
  const { method, path, body, said } = opposites.pop() ?? {}
  if (method !== undefined) await change(method, path, body, () => said).catch(() => {})
  $('undo').hidden = opposites.length === 0
}
$('undo').onclick = undo
document.onkeydown = (event) => {
  // In a field that is typed in, it is the browser's.
  const isTyping = event.target.matches('input:not([type=checkbox]), textarea')
  if (event.key !== 'z' || !(event.ctrlKey || event.metaKey) || isTyping) return
  event.preventDefault()
  undo()
}

// ---- Pages, order and search, which are the server's.

function go(values) {
  location.hash = addressOf(view.resource, queryWith(values))
}

function pageNumber() {
  return Number(view.query.get('_page') ?? 1)
}

/** By a field: upward, downward, and as they are stored. */
function sort(field) {
  const { query } = view
  const isSorted = query.get('_sort') === field
  const isDown = isSorted && query.get('_order') === 'desc'
  go({
    _sort: isDown ? undefined : field,
    _order: isDown ? undefined : isSorted ? 'desc' : 'asc',
    _page: undefined,
  })
}

$('back').onclick = () => go({ _page: pageNumber() - 1 })
$('on').onclick = () => go({ _page: pageNumber() + 1 })

let typing
$('search').oninput = () => {
  clearTimeout(typing)
  typing = setTimeout(() => {
    const text = $('search').value.trim()
    const query = new URLSearchParams(text === '' || text.includes('=') ? text : { q: text })
    for (const name of ['_sort', '_order']) if (view.query.has(name)) query.set(name, view.query.get(name))
    location.hash = addressOf(view.resource, query)
  }, PAUSE.search)
}

document.title = `${spec.info.title}: data`
$('title').textContent = spec.info.title
addEventListener('hashchange', readAddress)
// When somebody turns to the page, or goes on to another resource, and when there is nothing where one was.
for (const event of ['focus', 'missing']) addEventListener(event, updateResources)
document.addEventListener('visibilitychange', updateResources)
for (const id of ['resources', 'to-data']) $(id).onclick = updateResources
addEventListener('unauthorized', watch)
document.addEventListener('visibilitychange', watch)
addEventListener('begin', () => {
  opposites = []
  $('undo').hidden = true
  watch()
})
readAddress()
