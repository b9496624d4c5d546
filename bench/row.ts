import type { Workload } from './workload'

export type ServerKind = 'ours' | 'json-server' | 'bare Express' | 'node:http'

/** A server with data of a certain size. */
export interface Contestant {
  kind: ServerKind
  /** Number of blogs. */
  size: number
}

/** What a ratio should reach. */
export interface Target {
  against: ServerKind
  ratio: number
}

/** One kind of request at one number of connections: ours first, then whom it is compared with. */
export interface Row {
  workload: Workload
  connections: number
  contestants: readonly [ours: Contestant, ...others: Contestant[]]
  targets?: readonly Target[]
  /** Whether the chart shows it. */
  inChart?: boolean
}

/** Rows whose servers run at the same time, so that they can be measured in turn. */
export type Scene = readonly Row[]
