import { readFileSync } from 'node:fs'
import path from 'node:path'
import { transformSync } from '@swc/core'
import ts from 'typescript'
import { isRecord } from '../../lib/is-record'
import type { createApp } from '../../server'
import { ROOT } from '../support/process'

/** The source without its first line, which is for the shell. */
const SOURCE = readFileSync(path.join(ROOT, 'server.ts'), 'utf8').replace(/^#!.*/, '')

/** A step in one of the lists of `server.ts`: its text and its position. */
interface Step {
  name: string
  text: string
  start: number
  end: number
}

/** The lists of steps in `server.ts`, by the names of their variables. */
const LISTS = ['firstSteps', 'steps', 'lastSteps'].map(stepsOf)

function stepsOf(list: string): Step[] {
  const file = ts.createSourceFile('server.ts', SOURCE, ts.ScriptTarget.Latest, true)
  const steps: Step[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && node.name.getText() === list && isList(node.initializer)) {
      for (const element of node.initializer.elements) {
        if (ts.isSpreadElement(element)) continue
        const text = element.getText()
        steps.push({ name: nameOf(text), text, start: element.getStart(), end: element.getEnd() })
      }
    }
    node.forEachChild(visit)
  }
  visit(file)
  return steps
}

function isList(node: ts.Node | undefined): node is ts.ArrayLiteralExpression {
  return node !== undefined && ts.isArrayLiteralExpression(node)
}

/**
 * The function that makes a step, such as `login`, or the property that holds it, such as
 * `sandboxSteps?.findSandbox`.
 */
function nameOf(text: string): string {
  const calls = [...text.matchAll(/(\w+)\(\{?|([\w?.]+)$/gm)].map(([, call, property]) => call ?? property)
  return calls.find((name) => name !== undefined && name !== 'docs') ?? text
}

/** A server in which one step has been moved. */
export interface Misplacement {
  /** Such as `login behind publicReads`. */
  title: string
  load: () => typeof createApp
}

/** Moves every step behind the next one, to the front and to the end of its list. */
export function misplacements(): Misplacement[] {
  return LISTS.flatMap((steps) =>
    steps.flatMap((step, from) => {
      const last = steps.length - 1
      const targets = new Set([Math.min(from + 1, last), 0, last])
      targets.delete(from)
      return [...targets].map((to) => ({
        title: `${step.name} ${from < to ? 'behind' : 'ahead of'} ${steps[to]?.name}`,
        load: () => load(rearranged(steps, from, to)),
      }))
    }),
  )
}

/** The text of `server.ts` with the step at one place moved to another, and those between moved up. */
function rearranged(steps: readonly Step[], from: number, to: number): string {
  const order = steps.map(({ text }) => text)
  const [moved = ''] = order.splice(from, 1)
  order.splice(to, 0, moved)
  let text = SOURCE
  for (let place = steps.length - 1; place >= 0; place -= 1) {
    const { start = 0, end = 0 } = steps[place] ?? {}
    text = text.slice(0, start) + order[place] + text.slice(end)
  }
  return text
}

function load(source: string): typeof createApp {
  const { code } = transformSync(source, {
    jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
    module: { type: 'commonjs' },
  })
  const exported: unknown = {}
  const requireFromRoot = Object.assign(
    (name: string) => require(name.startsWith('.') ? path.join(ROOT, name) : name),
    { main: undefined },
  )
  new Function('require', 'module', 'exports', code)(requireFromRoot, {}, exported)
  if (!isServer(exported)) throw new Error('The rearranged server.ts exports no createApp.')
  return exported.createApp
}

function isServer(exported: unknown): exported is { createApp: typeof createApp } {
  return isRecord(exported) && typeof exported.createApp === 'function'
}
