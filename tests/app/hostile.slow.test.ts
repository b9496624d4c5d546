import { testHostile } from './hostile'

testHostile(50)
