import Module from 'node:module'
import { errorCode } from '../error-code'
import { isRecord } from '../is-record'

let isInstalled = false

/**
 * Lets TypeScript modules require `./other.js` where there is only other.ts, as the compiler does. The way in
 * is not documented, but ts-node takes it as well; its own option for this (`experimentalResolver`) begins
 * with a deprecation warning from Node 22 on. `registerHooks` of node:module, since Node 22.15, is the
 * documented one.
 */
export function resolveTypeScriptNames(): void {
  if (isInstalled) return
  isInstalled = true
  const resolve: unknown = Reflect.get(Module, '_resolveFilename')
  function resolveFilename(name: unknown, parent: unknown, ...rest: unknown[]): unknown {
    const find = (wanted: unknown): unknown =>
      Reflect.apply(Object(resolve), Module, [wanted, parent, ...rest])
    try {
      return find(name)
    } catch (error) {
      const source = isRecord(parent) && /\.[cm]?ts$/.test(String(parent.filename)) && sourceName(name)
      if (!source || errorCode(error) !== 'MODULE_NOT_FOUND') throw error
      return find(source)
    }
  }
  Reflect.set(Module, '_resolveFilename', resolveFilename)
}

/** The TypeScript file that a relative name of a JavaScript file stands for. */
function sourceName(name: unknown): string | false {
  return typeof name === 'string' && /^\.{1,2}\/.*\.[cm]?js$/.test(name) && name.replace(/js$/, 'ts')
}
