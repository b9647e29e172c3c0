import type { StorybookConfig } from '@storybook/react-vite'
import remarkGfm from 'remark-gfm'
import { defaultClientConditions, mergeConfig } from 'vite'
import { SOURCE } from '../scripts/published.ts'

const config: StorybookConfig = {
  framework: '@storybook/react-vite',
  staticDirs: ['./public'],
  managerHead: (head) => `${head}<link rel="icon" type="image/svg+xml" href="./favicon.svg">`,
  stories: ['../packages/react/src/docs/*.mdx', '../packages/react/src/**/*.stories.tsx'],
  addons: [
    // Without it a table in MDX is a line of bars.
    {
      name: '@storybook/addon-docs',
      options: { mdxPluginOptions: { mdxCompileOptions: { remarkPlugins: [remarkGfm] } } },
    },
    '@storybook/addon-a11y',
    '@storybook/addon-vitest',
  ],
  core: { disableTelemetry: true, disableWhatsNewNotifications: true },
  viteFinal: (vite) => mergeConfig(vite, { resolve: { conditions: [SOURCE, ...defaultClientConditions] } }),
}

export default config
