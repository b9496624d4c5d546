import { testRecords } from './records'

testRecords(8)
