import { list, page, protectedBlog, protectedRead, publicSingle, unchangedList, zippedList } from './reads'
import type { Row } from './row'
import { create, remove, update } from './writes'

/** What is aimed at, and what the chart shows even without a target. */
export const HIGHLIGHTS: readonly (Pick<Row, 'workload' | 'connections' | 'targets'> & { size: number })[] = [
  {
    workload: list,
    size: 1_000,
    connections: 32,
    targets: [
      { against: 'json-server', ratio: 25 },
      { against: 'bare Express', ratio: 0.95 },
    ],
  },
  { workload: zippedList, size: 1_000, connections: 32, targets: [{ against: 'json-server', ratio: 100 }] },
  { workload: unchangedList, size: 1_000, connections: 32 },
  { workload: publicSingle, size: 1_000, connections: 32 },
  { workload: protectedRead, size: 1_000, connections: 1, targets: [{ against: 'json-server', ratio: 15 }] },
  { workload: protectedRead, size: 1_000, connections: 32, targets: [{ against: 'json-server', ratio: 2 }] },
  { workload: page, size: 1_000, connections: 32 },
  { workload: create, size: 10_000, connections: 32, targets: [{ against: 'json-server', ratio: 10 }] },
  { workload: update, size: 10_000, connections: 32 },
  { workload: create, size: 100_000, connections: 1, targets: [{ against: 'json-server', ratio: 2 }] },
  { workload: remove, size: 100_000, connections: 1, targets: [{ against: 'json-server', ratio: 3 }] },
]

/** A record among 100,000 should be found as fast as one among 10: at 1 / 1.3 of the rate at worst. */
export const SCALING: Row = {
  workload: protectedBlog,
  connections: 32,
  contestants: [
    { kind: 'ours', size: 100_000 },
    { kind: 'ours', size: 10 },
  ],
  targets: [{ against: 'ours', ratio: 1 / 1.3 }],
}
