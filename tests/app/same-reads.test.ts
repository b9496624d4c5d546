import { otherReads, reads, rewrittenReads } from './legitimate-requests'
import { OTHER_NAMES, REWRITTEN, testNamesInOtherCase, testReads, USUAL } from './same-as-json-server'

testReads(USUAL, reads)
testReads(OTHER_NAMES, otherReads)
testReads(REWRITTEN, rewrittenReads)
testNamesInOtherCase()
