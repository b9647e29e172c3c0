import { addons } from 'storybook/manager-api'
import { dark, light } from './theme.ts'

const prefersDark = matchMedia('(prefers-color-scheme: dark)')
const apply = () => addons.setConfig({ theme: prefersDark.matches ? dark : light, sidebar: { showRoots: true } })

apply()
prefersDark.addEventListener('change', apply)
