/** Saves a file as an editor does, in a thread of its own: whenever and however it is told to. */
const fs = require('node:fs')
const { parentPort } = require('node:worker_threads')

const clock = new Int32Array(new SharedArrayBuffer(4))

function sleep(milliseconds) {
  const end = performance.now() + milliseconds
  // The system wakes a thread too late for times as short as these.
  if (milliseconds > 2) Atomics.wait(clock, 0, 0, milliseconds - 1)
  while (performance.now() < end);
}

const WAYS = {
  'truncate and write'(file, text, pause) {
    const descriptor = fs.openSync(file, 'w')
    sleep(pause)
    fs.writeSync(descriptor, text)
    fs.closeSync(descriptor)
  },
  'write in place'(file, text, pause) {
    const descriptor = fs.openSync(file, 'r+')
    const half = Buffer.from(text.slice(0, text.length / 2))
    fs.writeSync(descriptor, half)
    sleep(pause)
    fs.writeSync(descriptor, text.slice(text.length / 2))
    fs.ftruncateSync(descriptor, Buffer.byteLength(text))
    fs.closeSync(descriptor)
  },
  rename(file, text, pause) {
    fs.writeFileSync(`${file}~`, text)
    sleep(pause)
    fs.renameSync(`${file}~`, file)
  },
}

parentPort.on('message', ({ file, way, text, delay, pause }) => {
  sleep(delay)
  WAYS[way](file, text, pause)
  parentPort.postMessage('saved')
})
