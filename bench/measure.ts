import { setTimeout as sleep } from 'node:timers/promises'
import { encodeRequest, exchange } from './exchange'
import { type Load, type LoadResult, putLoad } from './load'
import type { Progress } from './progress'
import type { Contestant, Row, Scene } from './row'
import { type MemoryResult, type RowResult, rowResult, type Sample } from './row-results'
import type { Server } from './server'
import { ServerPool } from './server-pool'
import type { Workload } from './workload'
import { update } from './writes'

/** How long it all takes. */
export interface Pace {
  rounds: number
  /** Load before each measurement that is not counted; before the first, while the code is not compiled yet, thrice that. */
  warmUpSeconds: number
  /** Load in each measurement. */
  seconds: number
}

/** Milliseconds in which a server ends what it does after its last answer: json-server writes its file only then. */
const SETTLING_TIME = 50

/** A measurement goes on for this many answers, however slow they are. */
const FEWEST_ANSWERS = 5

/** The share of its records that one measurement may add or remove. */
const LARGEST_CHANGE = 0.1

/** Measures the rows of a scene one after the other, and the memory that its servers take in the end. */
export async function measureScene(
  scene: Scene,
  pace: Pace,
  progress: Progress,
): Promise<{ rows: RowResult[]; memory: MemoryResult[] }> {
  const pool = await ServerPool.start(scene.flatMap(({ contestants }) => contestants))
  try {
    const rows: RowResult[] = []
    for (const row of scene) rows.push(await measureRow(row, pool, pace, progress))
    const memory = pool.servers.map(({ contestant, residentMemory }) => ({
      ...contestant,
      bytes: residentMemory,
    }))
    return { rows, memory }
  } finally {
    await pool.end()
  }
}

/** Measures all contestants once, and then all again: what disturbs the machine for a while disturbs all of them. */
async function measureRow(row: Row, pool: ServerPool, pace: Pace, progress: Progress): Promise<RowResult> {
  const [oursContestant, ...otherContestants] = row.contestants
  const ours = newSample(oursContestant)
  const others = otherContestants.map(newSample)
  for (let round = 1; round <= pace.rounds; round += 1) {
    for (const sample of [ours, ...others]) {
      progress.step(
        `${row.workload.title}, ${row.connections} conn., ${sample.kind} with ${sample.size} blogs`,
      )
      const warmUpSeconds = pace.warmUpSeconds * (round === 1 ? 3 : 1)
      const { rate, busy } = await measureOnce(row, sample, pool, { ...pace, warmUpSeconds })
      sample.rates.push(rate)
      sample.busy = Math.max(sample.busy, busy)
    }
  }
  return rowResult(row, ours, others)
}

function newSample({ kind, size }: Contestant): Sample {
  return { kind, size, rates: [], busy: 0 }
}

async function measureOnce(
  { workload, connections }: Row,
  contestant: Contestant,
  pool: ServerPool,
  { warmUpSeconds, seconds }: Pace,
): Promise<LoadResult> {
  const limit = workload.drifts ? Math.floor(contestant.size * LARGEST_CHANGE) : Number.POSITIVE_INFINITY
  const warmUpLimit = Math.ceil(limit / 4)
  const server = await pool.ready(contestant, workload.drifts ? limit + warmUpLimit + 1 : 0)
  const load = (dose: Dose): Promise<LoadResult> => loadServer(server, connections, dose)
  try {
    // A server that was just started is slow at first, and few requests of this kind are allowed.
    if (workload.drifts && server.drift === 0)
      await load({ workload: update, seconds, fewest: 1, limit: Number.POSITIVE_INFINITY })
    await check(server, workload)
    await load({ workload, seconds: warmUpSeconds, fewest: 1, limit: warmUpLimit })
    return await load({ workload, seconds, fewest: FEWEST_ANSWERS, limit })
  } catch (error) {
    const problem = error instanceof Error ? error.message : error
    throw new Error(`${workload.title}, ${contestant.kind} with ${contestant.size} blogs: ${problem}`)
  } finally {
    await sleep(SETTLING_TIME)
  }
}

type Dose = Pick<Load, 'seconds' | 'fewest' | 'limit'> & { workload: Workload }

function loadServer(server: Server, connections: number, { workload, ...dose }: Dose): Promise<LoadResult> {
  return putLoad({
    ...dose,
    port: server.port,
    connections,
    nextRequest: () => encodeRequest(workload.request(server.nextNumber(workload), server.context)),
    expectedStatus: workload.expectedStatus,
  })
}

/** Sends one request and looks at the whole answer; under load, only the status is looked at. */
async function check(server: Server, workload: Workload): Promise<void> {
  const number = server.nextNumber(workload)
  const answer = await exchange(server.port, workload.request(number, server.context))
  if (answer.status === workload.expectedStatus && workload.isRight(answer, number, server.context)) return
  throw new Error(
    `the answer is wrong: ${answer.status} ${answer.body.toString('utf8', 0, 200)}. ` +
      'Send the request by hand, and mend the server or bench/reads.ts or bench/writes.ts.',
  )
}
