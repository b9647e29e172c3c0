export { type TestAccounts, testAccounts } from './accounts.ts'
export { type TestClock, testClock } from './clock.ts'
export { type Fault, type FaultyStore, faultyStore, type StoreCall } from './faulty-store.ts'
export { type TestHuman, type TestHumanOptions, type TestQuestion, testHuman } from './human.ts'
