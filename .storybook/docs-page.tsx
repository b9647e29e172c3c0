import { DocsContainer, type DocsContainerProps } from '@storybook/addon-docs/blocks'
import { type PropsWithChildren, useEffect, useState, useSyncExternalStore } from 'react'
import { addons } from 'storybook/preview-api'
import { dark, light } from './theme.ts'

type Globals = Readonly<Record<string, unknown>>

/** The event with which Storybook reports the choices of the toolbar. */
const GLOBALS_UPDATED = 'globalsUpdated'

/** A documentation page in the theme that the toolbar chooses. */
export function DocsPage(props: PropsWithChildren<DocsContainerProps>) {
  const prefersDark = useSyncExternalStore(watchScheme, readScheme)
  const theme = useThemeChoice()
  const isDark = theme === 'system' ? prefersDark : theme === 'dark'
  useEffect(() => {
    document.documentElement.dataset.hpTheme = isDark ? 'dark' : 'light'
  }, [isDark])
  return <DocsContainer {...props} theme={isDark ? dark : light} />
}

function useThemeChoice(): string {
  const [theme, setTheme] = useState(() => {
    const globals = new URLSearchParams(location.search).get('globals') ?? ''
    return /(?:^|;)theme:(\w+)/.exec(globals)?.[1] ?? 'system'
  })
  useEffect(() => {
    const channel = addons.getChannel()
    const update = ({ globals }: { globals: Globals }) => setTheme(String(globals.theme ?? 'system'))
    channel.on(GLOBALS_UPDATED, update)
    return () => channel.off(GLOBALS_UPDATED, update)
  }, [])
  return theme
}

const scheme = () => matchMedia('(prefers-color-scheme: dark)')
const readScheme = () => scheme().matches
function watchScheme(listener: () => void) {
  const query = scheme()
  query.addEventListener('change', listener)
  return () => query.removeEventListener('change', listener)
}
