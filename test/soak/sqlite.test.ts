import { describe } from 'vitest'
import { soakTest } from './soak.ts'

describe('a soak on sqlite', () => soakTest('sqlite'))
