import { list, page, protectedRead, publicSingle, unchangedList, zippedList } from './reads'
import type { Row, Scene, ServerKind } from './row'
import { HIGHLIGHTS, SCALING } from './targets'
import type { Workload } from './workload'
import { create, login, remove, update } from './writes'

const SIZES = [10, 1_000, 10_000, 100_000]
const CONNECTIONS = [1, 32]

const COMPARED: readonly { workload: Workload; others: readonly ServerKind[] }[] = [
  { workload: list, others: ['json-server', 'bare Express', 'node:http'] },
  { workload: zippedList, others: ['json-server'] },
  { workload: unchangedList, others: ['json-server'] },
  { workload: publicSingle, others: ['json-server'] },
  { workload: protectedRead, others: ['json-server', 'bare Express', 'node:http'] },
  { workload: page, others: ['json-server'] },
  { workload: login, others: [] },
  { workload: update, others: ['json-server'] },
  { workload: create, others: ['json-server'] },
  { workload: remove, others: ['json-server'] },
]

/** Everything at every size, smallest first. */
export function fullPlan(): Scene[] {
  return SIZES.map((size) => {
    const rows = COMPARED.flatMap(({ workload, others }) =>
      CONNECTIONS.filter((connections) => isFeasible(workload, size, connections)).map((connections) =>
        newRow(workload, size, connections, others),
      ),
    )
    return size === 100_000 ? [SCALING, ...rows] : rows
  })
}

/** The rows with targets alone. */
export function quickPlan(): Scene[] {
  return fullPlan()
    .map((scene) => scene.filter((row) => row.targets !== undefined))
    .filter((scene) => scene.length > 0)
}

function newRow(workload: Workload, size: number, connections: number, others: readonly ServerKind[]): Row {
  const highlight = HIGHLIGHTS.find(
    (candidate) =>
      candidate.workload === workload && candidate.size === size && candidate.connections === connections,
  )
  return {
    workload,
    connections,
    contestants: [{ kind: 'ours', size }, ...others.map((kind) => ({ kind, size }))],
    targets: highlight?.targets,
    inChart: highlight !== undefined,
  }
}

function isFeasible(workload: Workload, size: number, connections: number): boolean {
  // Ten records are not ten any more after one POST, and have no second page.
  if (size < 1_000) return workload.drifts !== true && workload !== page
  // json-server takes up to a second for one of these, and would need half a minute to serve 32 connections once.
  const isWhole = workload !== publicSingle && workload !== protectedRead && workload !== login
  return !(size >= 100_000 && isWhole && connections > 1)
}
