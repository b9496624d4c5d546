import { testAtRandom } from './same-as-json-server'

testAtRandom(40)
