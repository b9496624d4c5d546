import { testChanges } from './same-as-json-server'

testChanges()
