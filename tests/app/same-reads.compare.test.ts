import { otherReads, reads, readsOfEach, rewrittenReads } from './legitimate-requests'
import { OTHER_NAMES, REWRITTEN, testNamesInOtherCase, testReads, USUAL } from './same-as-json-server'

describe('reads of every kind', () => {
  testReads(USUAL, reads)
  testReads(OTHER_NAMES, otherReads)
  testReads(REWRITTEN, rewrittenReads)
  testNamesInOtherCase()
})

describe('reads of each resource', () => testReads(USUAL, readsOfEach))
