// Made by the server: it exports what the other options add.
import * as modules from './added.mjs'

/** What other options have added to the page. */
export const additions = []

/**
 * @param page what the page offers: its bar at the `top`, `ask(path)`, `isLoggedIn()`, `claims()` and
 *   `endSession(message)`
 */
export function makeAdditions(page) {
  additions.push(...Object.values(modules).map((add) => add(page)))
}

/** The headers for every request. */
export function addedHeaders() {
  return Object.assign({}, ...additions.map(({ headers }) => headers()))
}
