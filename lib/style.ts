import { styleText } from 'node:util'

/** Makes a text bold, dim or coloured. */
export type Style = (format: 'bold' | 'dim' | 'cyan' | 'green' | 'yellow' | 'red', text: string) => string

/**
 * The styles that a stream can show: none where it is no terminal, or the variable NO_COLOR is set. Each text
 * has one format, because Node 20 ignores the stream where it is given several (nodejs/node#56717).
 */
export function styleFor(stream: NodeJS.WritableStream): Style {
  return (format, text) => styleText(format, text, { stream })
}
