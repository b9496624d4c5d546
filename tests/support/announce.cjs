// Loaded ahead of a command line under test (node -r): tells the test by IPC each address that it listens on, so that
// servers can take free ports and need not print them, whether one was taken, and each timer that it sets, so that nobody
// has to measure time.
const { errorMonitor } = require('node:events')
const { Server } = require('node:net')

const { listen } = Server.prototype
Server.prototype.listen = function (...options) {
  this.once('listening', () => process.send?.({ address: this.address() }))
  this.once(errorMonitor, (error) => process.send?.({ error: error.code }))
  return listen.apply(this, options)
}

globalThis.setTimeout = new Proxy(setTimeout, {
  apply(target, self, parameters) {
    process.send?.({ timer: parameters[1] })
    return Reflect.apply(target, self, parameters)
  },
})
