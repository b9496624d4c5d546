import type { Send } from '../support/process'

/** What became of the POSTs of many clients. */
export interface Outcomes {
  /** The ids of the records that were acknowledged, by title. */
  readonly made: Map<string, unknown>
  /** The titles for which there was no response, or one that says that the outcome is unknown. */
  readonly unknown: Set<string>
  /** The titles of which a response says that they were not made. */
  readonly refused: Set<string>
}

interface Load {
  clients: number
  /** Called before each request, with the number of responses: whether another one is sent. */
  goesOn: (count: number) => boolean
}

/** Sends POSTs from many clients to each server, one after the other. */
export async function post(servers: readonly Send[], { clients, goesOn }: Load): Promise<Outcomes> {
  const outcomes: Outcomes = { made: new Map(), unknown: new Set(), refused: new Set() }
  let count = 0
  const client = async (send: Send, name: string) => {
    for (let round = 0; goesOn(count); round += 1) {
      const title = `${name}-${round}`
      try {
        const { status, text } = await send('POST /posts', { body: { title } })
        if (status === 201) outcomes.made.set(title, JSON.parse(text).id)
        else if (status === 503 && !text.includes('unknown')) outcomes.refused.add(title)
        else if (status === 503) outcomes.unknown.add(title)
        else throw new Error(`The response to a POST was ${status} ${text}`)
        // Whoever is refused at once does not ask again at once.
        if (status === 503) await new Promise((resolve) => setTimeout(resolve, 20))
      } catch (error) {
        if (error instanceof Error && error.message.startsWith('The response')) throw error
        outcomes.unknown.add(title)
        // This server is gone.
        return
      }
      count += 1
    }
  }
  await Promise.all(
    servers.flatMap((send, server) =>
      Array.from({ length: clients }, (_client, number) => client(send, `${server}-${number}`)),
    ),
  )
  return outcomes
}

/** What is wrong with the records that are there, by what was said of them. */
export function faultsOf(records: readonly unknown[], { made, unknown, refused }: Outcomes): string[] {
  const faults: string[] = []
  const ids = new Set<unknown>()
  const found = new Map<unknown, unknown>()
  for (const record of records) {
    const { id, title } = Object(record)
    if (ids.has(id)) faults.push(`the id ${id} is there twice`)
    if (found.has(title)) faults.push(`"${title}" is there twice`)
    if (refused.has(title)) faults.push(`"${title}" was refused and is there`)
    ids.add(id)
    found.set(title, id)
  }
  for (const [title, id] of made) if (found.get(title) !== id) faults.push(`"${title}" was made and is lost`)
  const isKnown = (title: string) => made.has(title) || unknown.has(title)
  for (const title of found.keys())
    if (!isKnown(String(title))) faults.push(`"${title}" is there, and nobody has sent it`)
  return faults
}
