import { readsOfEach } from './legitimate-requests'
import { testReads, USUAL } from './same-as-json-server'

testReads(USUAL, readsOfEach)
