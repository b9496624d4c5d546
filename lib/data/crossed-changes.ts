import type { Data } from './valid-data'

/** The names of the resources that are other objects in another state, or are in one of the two alone. */
export function changedNames(before: Data, after: Data): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...names].filter((name) => before[name] !== after[name])
}

/**
 * Makes the changes that have led to a state on another one, which others have made of the same.
 *
 * @param theirs what others have made of `before`
 * @param ours what was made of it here
 * @returns undefined where both have changed the same resource, or nothing is as it was: a text that is read whole is new
 *   throughout
 */
export function madeOn(theirs: Data, ours: Data, before: Data): Data | undefined {
  const changed = new Set(changedNames(before, ours))
  if (changed.size === 0) return theirs
  const crossed = new Set(changedNames(before, theirs))
  const isNew = Object.keys(before).every((name) => crossed.has(name))
  if (isNew || [...changed].some((name) => crossed.has(name))) return undefined
  const resources = new Map(Object.entries(theirs))
  for (const name of changed)
    if (Object.hasOwn(ours, name)) resources.set(name, ours[name])
    else resources.delete(name)
  return Object.fromEntries(resources)
}
