// Made by the server: it exports what the other options add.
import * as modules from './added.mjs'

/** What other options have added to the page. */
let additions = []

/** @param page what the page offers: its line at the `top`, the `document`, `claims()` and `endSession(message)` */
export function makeAdditions(page) {
  additions = Object.values(modules).map((add) => add(page))
}

/** The headers for every request. */
export function addedHeaders() {
  return Object.assign({}, ...additions.map(({ headers }) => headers()))
}

/** Whether the page has a place of its own for a parameter of every operation. */
export function isHidden(parameter) {
  return additions.some(({ hides }) => hides(parameter))
}

/** Tells of the claims of a new token. */
export function showClaims(claims) {
  for (const { takeClaims } of additions) takeClaims(claims)
}
