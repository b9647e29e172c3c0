import { bridgeSuite } from '@holdpoint/conformance/bridge'
import { driver } from './driver.ts'

bridgeSuite('MCP server', driver)
