import asyncHooks, { AsyncLocalStorage } from 'node:async_hooks'
import vm from 'node:vm'
import { TestEnvironment } from 'jest-environment-node'

const storages = new Set<AsyncLocalStorage<unknown>>()

class KnownStorage<Store> extends AsyncLocalStorage<Store> {
  constructor() {
    super()
    storages.add(this)
  }
}

const { compileFunction } = vm
const compiled = new Map<string, { text: string; context: unknown; made: unknown }>()

/** Compiles a file once for each context, as all test files load nearly the same ones. */
function compileOnce(...[text, parameters, options]: Parameters<typeof compileFunction>): unknown {
  const { filename = '', parsingContext: context } = options ?? {}
  const before = compiled.get(filename)
  if (before?.text === text && before.context === context) return before.made
  const made = compileFunction(text, parameters, options)
  compiled.set(filename, { text, context, made })
  return made
}

class KeptEnvironment extends TestEnvironment {
  override async teardown(): Promise<void> {
    // Jest makes a storage for each file, and Node 20 carries all that are not disabled through every promise.
    for (const storage of storages) storage.disable()
    storages.clear()
    this.fakeTimers?.useRealTimers()
    this.fakeTimersModern?.useRealTimers()
    this.moduleMocker?.restoreAllMocks()
    this.global.process.removeAllListeners()
  }
}

let kept: KeptEnvironment | undefined

/**
 * The environment of all test files that a process runs: the same globals, in which a function that has been compiled and
 * optimized is good for the next file, too. Modules are still evaluated for each file. Jest calls it with `new`.
 */
export default function SharedEnvironment(...given: ConstructorParameters<typeof TestEnvironment>) {
  if (kept === undefined) {
    kept = new KeptEnvironment(...given)
    Object.assign(vm, { compileFunction: compileOnce })
    Object.assign(asyncHooks, { AsyncLocalStorage: KnownStorage })
  }
  return kept
}
