import { idsOfBothKinds, lives, otherWrites, rewrittenWrites, writes } from './legitimate-requests'
import { OTHER_NAMES, REWRITTEN, SHARED, testChanges, USUAL } from './same-as-json-server'

describe('changes of every kind', () => {
  testChanges(USUAL, writes)
  testChanges(OTHER_NAMES, otherWrites)
  testChanges(REWRITTEN, rewrittenWrites)
})

describe('lives of records', () => {
  testChanges(USUAL, lives)
  testChanges(USUAL, idsOfBothKinds)
  testChanges(SHARED, idsOfBothKinds)
})
