import { testReads } from './same-as-json-server'

testReads()
