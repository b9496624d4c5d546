/** What Node for Windows and jest need under Wine 8, which is an older Windows than they know. */
const Module = require('node:module')
const { Socket } = require('node:net')
const path = require('node:path')

// It cannot say how long a connection that is kept alive waits, and a connection that asks for that fails.
Socket.prototype.setKeepAlive = function setKeepAlive() {
  return this
}

// The resolver of jest is a file of machine code that needs a later Windows: that of Node takes its place.
Module._extensions['.ts'] = Module._extensions['.js']

class ResolverFactory {
  cloneWithOptions() {
    return this
  }

  clearCache() {}

  sync(folder, name) {
    try {
      return { path: Module.createRequire(path.join(folder, 'importer.js')).resolve(name) }
    } catch (error) {
      return { error: error.message }
    }
  }

  async async(folder, name) {
    return this.sync(folder, name)
  }
}

const load = Module._load
Module._load = function loadInWine(name, ...others) {
  return name === 'unrs-resolver' ? { ResolverFactory } : load.call(this, name, ...others)
}
