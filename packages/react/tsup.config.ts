import { defineConfig } from 'tsup'
import { published } from '../../scripts/published.ts'

// Every chunk is client code: a framework with server components must see that on each file.
export default defineConfig({ ...published(import.meta.dirname), banner: { js: "'use client'" } })
