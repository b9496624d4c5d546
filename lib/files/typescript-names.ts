import Module from 'node:module'
import { errorCode } from '../error-code'
import { isRecord } from '../is-record'

let isInstalled = false

/**
 * Lets TypeScript modules require `./other.js` where there is only other.ts: in a package whose type is
 * `module`, the compiler accepts no other name.
 *
 * The function of Node that is replaced here is not documented. ts-node replaces the same one for its option
 * `experimentalResolver` (TypeStrong/ts-node#1514), with which a start on Node 22 and later begins with a
 * deprecation warning (TypeStrong/ts-node#2116). When Node 20 is no longer supported, `registerHooks` of
 * node:module can take its place, which is documented from Node 22.15 on.
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
