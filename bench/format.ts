import type { Contestant } from './row'
import { type Spread, spreadOf } from './statistics'

export function nameOf({ kind, size }: Contestant): string {
  return `${kind} with ${integer(size)}`
}

export function verdict({ met }: { met: boolean }): string {
  return met ? 'met' : 'NOT MET'
}

/** The median of answers per second. */
export function rate(rates: readonly number[]): string {
  return integer(spreadOf(rates).median)
}

export function integer(value: number): string {
  return Math.round(value).toLocaleString('en')
}

export function percent(share: number): string {
  return `${Math.round(share * 100)} %`
}

export function spread({ lowest, highest }: Spread): string {
  return `${formatRatio(lowest)} - ${formatRatio(highest)}`
}

/** A ratio with as many digits as mean something. */
export function formatRatio(ratio: number): string {
  return `${ratio.toFixed(ratio >= 100 ? 0 : ratio >= 10 ? 1 : 2)}x`
}
