import fs from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { isObject } from '../../../lib/is-record'
import { fileHandles } from '../../support/data'

/** A call of the server to the file system. */
export interface FileCall {
  /** As Node names it: `renameSync`, or `sync` for that of a file handle. */
  name: string
  parameters: readonly unknown[]
  /** The file that an open handle or a descriptor stands for. */
  file?: string
}

/** Runs in the place of a call; `proceed` makes it. */
export type Interceptor = (call: FileCall, proceed: () => unknown) => unknown

const HANDLE_METHODS = ['chown', 'chmod', 'writev', 'sync']

/**
 * Has every call that concerns a folder pass through a function: those of `node:fs`, of its promises, and
 * those of the handles and the descriptors that they open.
 *
 * @returns ends it
 */
export async function interceptFileCalls(folder: string, intercept: Interceptor): Promise<() => void> {
  const restore: (() => void)[] = []
  const opened = new Map<unknown, string>()
  let isInside = false

  function replace(target: object, name: string, make: (original: CallableFunction) => object): void {
    const original = Reflect.get(target, name)
    if (typeof original !== 'function') return
    Reflect.set(target, name, Object.assign(make(original), original))
    restore.push(() => Reflect.set(target, name, original))
  }

  function callOf(name: string, parameters: readonly unknown[]): FileCall | undefined {
    const file = opened.get(parameters[0])
    if (file !== undefined) return { name, parameters, file }
    return parameters.some((path) => typeof path === 'string' && path.startsWith(folder))
      ? { name, parameters }
      : undefined
  }

  for (const name of Object.keys(fs).filter((key) => key.endsWith('Sync'))) {
    replace(fs, name, (original) => (...parameters: unknown[]) => {
      const proceed = () => Reflect.apply(original, fs, parameters)
      const call = isInside ? undefined : callOf(name, parameters)
      if (call === undefined) return proceed()
      // Node's own functions call one another.
      isInside = true
      try {
        const result = intercept(call, proceed)
        if (name === 'openSync') opened.set(result, String(parameters[0]))
        return result
      } finally {
        if (name === 'closeSync') opened.delete(parameters[0])
        isInside = false
      }
    })
  }
  for (const name of Object.keys(fs.promises)) {
    replace(fs.promises, name, (original) => async (...parameters: unknown[]) => {
      const proceed = () => Reflect.apply(original, fs.promises, parameters)
      const call = callOf(name, parameters)
      if (call === undefined) return proceed()
      const result = await intercept(call, proceed)
      if (isHandle(result)) {
        opened.set(result, String(parameters[0]))
        opened.set(result.fd, String(parameters[0]))
        // Node gives each handle a function of its own for this.
        replace(result, 'close', onHandle('close'))
      }
      return result
    })
  }
  const handles = await fileHandles()
  for (const name of HANDLE_METHODS) replace(handles, name, onHandle(name))

  function onHandle(name: string) {
    return (original: CallableFunction) =>
      async function (this: object, ...parameters: unknown[]) {
        const proceed = () => Reflect.apply(original, this, parameters)
        const file = opened.get(this)
        return file === undefined ? proceed() : intercept({ name, parameters, file }, proceed)
      }
  }
  return () => {
    for (const undo of restore) undo()
  }
}

function isHandle(value: unknown): value is FileHandle {
  return isObject(value) && 'fd' in value && 'sync' in value
}

/** An error as the file system reports it. */
export function failure(code: string): Error {
  return Object.assign(new Error(`${code}: it failed`), { code })
}
