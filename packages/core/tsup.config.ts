import { defineConfig } from 'tsup'
import { published } from '../../scripts/published.ts'

export default defineConfig(published(import.meta.dirname))
