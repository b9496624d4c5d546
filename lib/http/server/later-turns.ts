/** The tasks that wait, and how many turns of the event loop each still waits when it is the first. */
const waiting: { task: () => void; turns: number }[] = []

/**
 * Calls a function later: in each turn of the event loop, at most one that waits. Between two of them the
 * event loop looks at all sockets, and accepts one connection. If each connection had its next request in
 * every turn, a client that connects behind 300 others would wait for 45,000 of their requests: one in the
 * first turn, two in the second, and so on.
 *
 * @param turns how many turns pass before it, at least one
 */
export function inLaterTurn(task: () => void, turns = 1): void {
  waiting.push({ task, turns })
  if (waiting.length === 1) setImmediate(takeTurn)
}

function takeTurn(): void {
  const [first] = waiting
  if (first === undefined) return
  first.turns -= 1
  const isDue = first.turns <= 0
  if (isDue) waiting.shift()
  if (waiting.length > 0) setImmediate(takeTurn)
  if (isDue) first.task()
}
