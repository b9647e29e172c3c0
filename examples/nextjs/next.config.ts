import { join } from 'node:path'
import type { NextConfig } from 'next'

const workspace = join(import.meta.dirname, '../..')

const config: NextConfig = {
  // Loaded by Node as they are: the store opens a database, the server's timers outlive a hot reload.
  serverExternalPackages: [
    '@holdpoint/server',
    '@langchain/core',
    '@langchain/langgraph',
    '@openai/agents',
    'langchain',
  ],
  // Only because the packages are linked from this repository; yours come from npm.
  turbopack: { root: workspace },
  // The repository's own check does it, side by side with the other packages.
  typescript: { ignoreBuildErrors: true },
  devIndicators: false,
}

export default config
