import { bridgeSuite } from '@holdpoint/conformance/bridge'
import { driver } from './support/ai-sdk-driver.ts'

bridgeSuite('AI SDK', driver)
