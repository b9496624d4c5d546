import { inOneLine } from '../style'
import type { Started } from './started'
import { whoCannotLogIn } from './warnings/logins'
import { lostRecords } from './warnings/lost-records'
import { misfits } from './warnings/misfits'
import { openData } from './warnings/open-data'
import { ownedRecords } from './warnings/owned-records'
import { userFields } from './warnings/user-fields'
import { idleFlags, namesNothing, takenPaths } from './warnings/without-effect'

/** How many warnings a start prints: nobody reads more. */
const MOST_WARNINGS = 5

/** What opens data comes first, and what is lost last. */
const KINDS = [
  openData,
  ownedRecords,
  whoCannotLogIn,
  userFields,
  namesNothing,
  takenPaths,
  idleFlags,
  misfits,
  lostRecords,
]

/** Where something does not do what it looks like, a sentence each. */
export function warnings(started: Started): string[] {
  const all = KINDS.flatMap((kind) => kind(started)).filter((sentence) => typeof sentence === 'string')
  const sentences = all.filter((sentence) => sentence !== '').map(inOneLine)
  const more = sentences.length - MOST_WARNINGS
  return more > 0
    ? [...sentences.slice(0, MOST_WARNINGS), `There are ${more} more: mend these first.`]
    : sentences
}
