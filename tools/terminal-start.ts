import { spawn } from 'node:child_process'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { drawTerminal } from './draw-terminal'

const ROOT = path.join(__dirname, '..')
const COMMAND = 'npx ts-node server.ts'
/** Milliseconds without further output after which the start is over. */
const SILENCE = 3000

/**
 * What the README's first command prints on a terminal, as a picture. It needs Linux, whose `script` gives
 * the command a terminal, and the default port.
 *
 * @returns an SVG document
 */
export async function terminalStart(): Promise<string> {
  // What npx itself shows while it looks for the command is not of this project.
  const printed = await onTerminal(COMMAND.replace('npx ', 'node_modules/.bin/'))
  return drawTerminal(`The start: ${COMMAND}`, `\u001b[2m$\u001b[22m ${COMMAND}\n\n${printed.trimStart()}`)
}

/** Runs a server on a terminal of 80 columns until it prints no more, and stops it. */
async function onTerminal(command: string): Promise<string> {
  const { JWT_SECRET, NO_COLOR, FORCE_COLOR, ...env } = process.env
  const child = spawn('script', ['-qec', `stty cols 80 rows 60; ${command}`, '/dev/null'], {
    cwd: ROOT,
    env: { ...env, TERM: 'xterm-256color' },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  let output = ''
  let last = Date.now()
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
    last = Date.now()
  })
  const ended = new Promise((resolve) => child.once('close', resolve))
  while (child.exitCode === null && (output.trim() === '' || Date.now() - last < SILENCE)) await pause(100)
  if (child.exitCode !== null) throw new Error(`The server did not start: ${output}`)
  const printed = output
  // Ctrl+C, as the terminal sends it.
  child.stdin.end('\u0003')
  await ended
  return printed
}
