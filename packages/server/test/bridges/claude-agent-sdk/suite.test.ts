import { bridgeSuite } from '@holdpoint/conformance/bridge'
import { driver } from './driver.ts'

bridgeSuite('Claude Agent SDK', driver)
