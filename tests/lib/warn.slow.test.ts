import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { PROGRAMS } from '../support/process'

const MODULE = path.join(path.dirname(String(PROGRAMS.ours.at(-1))), 'lib/warn')

/** What a process of its own prints: jest hides the warnings of Node from its tests. */
async function run(script: string, ...flags: string[]) {
  const setup = `const { warnByNode } = require(${JSON.stringify(MODULE)})\n`
  return promisify(execFile)(process.execPath, [...flags, '-e', setup + script])
}

describe('warnByNode', () => {
  it('prints the sentence, and the error behind it, on the standard error', async () => {
    const { stdout, stderr } = await run('warnByNode("Nothing was written.", new Error("no luck"))')
    expect(stdout).toBe('')
    expect(stderr).toMatch(/Warning: Nothing was written\.\nError: no luck\n +at /)
  })

  it('can be listened to, and turned off', async () => {
    const listening = `process.on('warning', ({ message }) => console.log(message))`
    const { stdout, stderr } = await run(`${listening}\nwarnByNode("The disk is full.")`, '--no-warnings')
    expect([stdout, stderr]).toEqual(['The disk is full.\n', ''])
  })
})
