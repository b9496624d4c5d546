// Loaded ahead of a server (node -r): tells by IPC where it listens, so that each can take a free port, and how
// much processor time it has used, when it is asked.
const { Server } = require('node:net')

const { listen } = Server.prototype
Server.prototype.listen = function (...options) {
  this.once('listening', () => process.send?.(this.address()))
  return listen.apply(this, options)
}

process.on('message', () => process.send?.(process.cpuUsage()))
