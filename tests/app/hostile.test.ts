import { testHostile } from './hostile'

testHostile(10)
