import { testRecords } from './records'

testRecords(40)
