import { lives } from './legitimate-requests'
import { testChanges, USUAL } from './same-as-json-server'

testChanges(USUAL, lives)
