import { defineConfig } from 'tsup'
import { publishedModules } from '../../scripts/published.ts'

export default defineConfig(publishedModules(import.meta.dirname))
