export { testAccounts } from './accounts.ts'
export { type TestClock, testClock } from './clock.ts'
export { faultyStore } from './faulty-store.ts'
export { type TestHuman, testHuman } from './human.ts'
