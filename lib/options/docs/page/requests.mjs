import { follow } from './api.mjs'
import { $, make } from './elements.mjs'

/** As many rows as the server keeps requests: more would take a browser longer than they are looked at. */
const MOST = 200
/** Milliseconds between two drawings, however many requests there are. */
const PAUSE = 150

let entries = []
/** When the list was cleared, by the clock of the server. */
let cleared = 0
let isWaiting = false

/** Shows the requests as they come, the newest first, with what the log says of each. */
export function showRequests({ signal, onState }) {
  follow('/docs/requests', {
    signal,
    onState,
    onEvents(events) {
      for (const { kind, data } of events)
        entries = kind === 'loaded' ? data : [...entries, ...data].slice(-MOST)
      drawSoon()
    },
  })
  drawSoon()
}

function drawSoon() {
  if (isWaiting) return
  isWaiting = true
  setTimeout(() => {
    isWaiting = false
    const shown = entries.filter(isShown).reverse()
    $('lines').replaceChildren(...shown.map((entry) => (entry.row ??= rowOf(entry))))
    $('none').hidden = shown.length > 0
  }, PAUSE)
}

function isShown({ at, method, status, page }) {
  const isRefused = !(status < 400)
  const isOfBrowser = page || (method === 'OPTIONS' && !isRefused)
  return at > cleared && (isRefused || !$('only-refused').checked) && (!isOfBrowser || $('all').checked)
}

function rowOf({ at, sandbox, method, target, status, time, reason }) {
  const sent = make('td', { className: 'target' }, make('b', {}, method), ` ${target}`)
  if (sandbox !== undefined) sent.prepend(make('span', { className: 'dim' }, `[${sandbox}] `))
  const answer = make('td', { className: `status-${String(status ?? 5)[0]}` }, String(status ?? '–'))
  return make(
    'tr',
    { className: status < 400 ? '' : 'refused' },
    make('td', { className: 'dim' }, new Date(at).toLocaleTimeString('en', { hour12: false })),
    sent,
    answer,
    make('td', { className: 'number' }, time < 10 ? time.toFixed(1) : String(Math.round(time))),
    make('td', { className: 'why' }, reason ?? ''),
  )
}

$('only-refused').onchange = drawSoon
$('all').onchange = drawSoon
$('clear').onclick = () => {
  cleared = entries.at(-1)?.at ?? 0
  drawSoon()
}
