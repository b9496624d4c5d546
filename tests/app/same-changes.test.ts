import { otherWrites, rewrittenWrites, writes } from './legitimate-requests'
import { OTHER_NAMES, REWRITTEN, testChanges, USUAL } from './same-as-json-server'

testChanges(USUAL, writes)
testChanges(OTHER_NAMES, otherWrites)
testChanges(REWRITTEN, rewrittenWrites)
