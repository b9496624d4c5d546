import { testAtRandom } from './same-as-json-server'

testAtRandom(3)
