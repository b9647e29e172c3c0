import { describeWith, postgresPrograms } from '@holdpoint/conformance/services'
import { soakTest } from './soak.ts'

describeWith('a soak on postgres', postgresPrograms(), () => soakTest('postgres'))
