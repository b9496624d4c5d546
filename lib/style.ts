import { styleText } from 'node:util'

/** Makes a text bold, dim or coloured. */
export type Style = (format: 'bold' | 'dim' | 'cyan' | 'green' | 'yellow' | 'red', text: string) => string

/**
 * A sentence that may name a field which a stranger has made up: without what would begin another line, or what a terminal
 * takes for a command.
 */
export function inOneLine(sentence: string): string {
  return sentence.replace(/[\p{Cc}\p{Cf}]+/gu, ' ')
}

/**
 * The styles that a stream can show: none where it is no terminal, or the variable NO_COLOR is set. Each text
 * has one format, because Node 20 ignores the stream where it is given several (nodejs/node#56717).
 */
export function styleFor(stream: NodeJS.WritableStream): Style {
  return (format, text) => styleText(format, text, { stream })
}
