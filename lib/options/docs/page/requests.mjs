import { follow } from './api.mjs'
import { make } from './table.mjs'

const $ = (id) => document.getElementById(id)
/** As many rows as the server keeps requests: more would take a browser longer than they are looked at. */
const MOST = 200
/** Milliseconds between two drawings. */
const PAUSE = 150
let all = []

/** Shows the requests of others as they come, the newest first, with what the log says of each. */
export function showRequests({ signal, onState }) {
  follow('/docs/requests', {
    signal,
    onState,
    onEvents(events) {
      for (const { kind, data } of events) all = kind === 'loaded' ? data : [...all, ...data].slice(-MOST)
      drawSoon()
    },
  })
  drawSoon()
}

let cleared = 0
let isWaiting = false
function drawSoon() {
  if (isWaiting) return
  isWaiting = true
  setTimeout(() => {
    isWaiting = false
    const shown = all.filter(
      ({ method, status, page, at }) =>
        (!$('only-failed').checked || !(status < 400)) &&
        ($('own-too').checked || !(page || (method === 'OPTIONS' && status < 400))) &&
        at > cleared,
    )
    $('lines').replaceChildren(...shown.reverse().map((entry) => (entry.row ??= rowOf(entry))))
    $('none').textContent =
      shown.length === 0 ? 'Nothing yet. Requests of your application show here as they come.' : ''
  }, PAUSE)
}

function rowOf({ at, sandbox, method, target, status, time, reason }) {
  const request = make('td', { className: 'target' }, make('b', { textContent: method }), ` ${target}`)
  if (sandbox !== undefined) request.prepend(make('span', { className: 'dim', textContent: `[${sandbox}] ` }))
  const state = make('td', { textContent: status ?? '–' })
  state.dataset.kind = String(status ?? '-')[0]
  return make(
    'tr',
    { className: status < 400 ? '' : 'refused' },
    make('td', { className: 'dim', textContent: new Date(at).toLocaleTimeString('en', { hour12: false }) }),
    request,
    state,
    make('td', { className: 'number', textContent: time < 10 ? time.toFixed(1) : Math.round(time) }),
    make('td', { className: 'why', textContent: reason ?? '' }),
  )
}

for (const id of ['only-failed', 'own-too']) $(id).onchange = drawSoon
$('clear').onclick = () => {
  cleared = Date.now()
  drawSoon()
}
