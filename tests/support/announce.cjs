// Loaded ahead of a command line under test (node -r): tells the test by IPC each address that it listens on, so that
// servers can take free ports and need not print them.
const { Server } = require('node:net')

const { listen } = Server.prototype
Server.prototype.listen = function (...options) {
  this.once('listening', () => process.send?.(this.address()))
  return listen.apply(this, options)
}
