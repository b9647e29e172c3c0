import { bridgeSuite } from '@holdpoint/conformance/bridge'
import { driver as agent } from './agent-driver.ts'
import { driver as client } from './client-driver.ts'

bridgeSuite('Agent Client Protocol, agent', agent)
bridgeSuite('Agent Client Protocol, client', client)
