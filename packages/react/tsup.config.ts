import { defineConfig } from 'tsup'
import { publishedModules } from '../../scripts/published.ts'

// Every chunk is client code: a framework with server components must see that on each file.
export default defineConfig({ ...publishedModules(import.meta.dirname), banner: { js: "'use client'" } })
