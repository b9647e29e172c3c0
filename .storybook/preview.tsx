import '@holdpoint/react/styles.css'
import '@holdpoint/react/shadcn.css'
import '../packages/react/src/testing/fonts.css'
import './preview.css'
import { english, type Messages } from '@holdpoint/react'
import { arabic } from '@holdpoint/react/locales/ar'
import { german } from '@holdpoint/react/locales/de'
import type { Preview } from '@storybook/react-vite'
import { StrictMode, useEffect } from 'react'
import { configure } from 'storybook/test'
import { StoryFrame } from '../packages/react/src/testing/story-frame.tsx'
import { pseudo } from './pseudo.ts'

// What is waited for comes, only later where others work on the machine too.
configure({ asyncUtilTimeout: 10_000 })

const locales: Readonly<Record<string, { messages: Messages; locale: string; dir?: 'rtl' }>> = {
  en: { messages: english, locale: 'en' },
  de: { messages: german, locale: 'de' },
  ar: { messages: arabic, locale: 'ar', dir: 'rtl' },
  pseudo: { messages: pseudo(english), locale: 'en' },
}

const preview: Preview = {
  tags: ['autodocs'],
  parameters: {
    // A violation fails the story's test.
    a11y: { test: 'error', options: { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] } },
    layout: 'padded',
    viewport: {
      options: {
        phone: { name: 'Phone, 320 px', styles: { width: '320px', height: '640px' }, type: 'mobile' },
        tablet: { name: 'Tablet, 768 px', styles: { width: '768px', height: '900px' }, type: 'tablet' },
      },
    },
    docs: { toc: true },
    options: {
      storySort: {
        order: ['Start here', 'Anatomy', 'States', 'Keyboard', 'Theming', 'Content guide', 'Components', 'Examples'],
      },
    },
  },
  initialGlobals: { theme: 'system', contrast: 'system', direction: 'auto', locale: 'en', strict: 'on' },
  globalTypes: {
    theme: toolbar('Theme', 'mirror', { system: 'As the system', light: 'Light', dark: 'Dark' }),
    contrast: toolbar('Contrast', 'contrast', { system: 'As the system', more: 'More contrast' }),
    direction: toolbar('Direction', 'transfer', {
      auto: 'As the language',
      ltr: 'Left to right',
      rtl: 'Right to left',
    }),
    locale: toolbar('Language', 'globe', { en: 'English', de: 'Deutsch', ar: 'العربية', pseudo: 'Pseudo' }),
    strict: toolbar('StrictMode', 'lock', { on: 'StrictMode', off: 'Not strict' }),
  },
  decorators: [
    (Story, { globals }) => {
      const { theme, contrast, direction, locale, strict } = globals as Record<string, string>
      const { messages, locale: tag, dir } = locales[locale ?? 'en'] ?? locales.en!
      const chosen = direction === 'auto' ? dir : (direction as 'ltr' | 'rtl')
      const framed = (
        <StoryFrame messages={messages} locale={tag}>
          <Story />
        </StoryFrame>
      )
      return (
        <Page theme={theme ?? 'system'} contrast={contrast ?? 'system'} dir={chosen} lang={tag}>
          {strict === 'off' ? framed : <StrictMode>{framed}</StrictMode>}
        </Page>
      )
    },
  ],
}

/** What an application's own page would say. */
function Page({
  theme,
  contrast,
  dir,
  lang,
  children,
}: {
  theme: string
  contrast: string
  dir: 'ltr' | 'rtl' | undefined
  lang: string
  children: React.ReactNode
}) {
  useEffect(() => {
    const root = document.documentElement
    root.dataset.hpTheme = theme === 'system' ? 'auto' : theme
    root.dataset.hpContrast = contrast
    root.lang = lang
    // The shadcn tokens are for the one story that shows them.
    root.dataset.hpTokens = 'own'
    if (dir) root.dir = dir
    return () => {
      if (dir) root.removeAttribute('dir')
    }
  }, [theme, contrast, dir, lang])
  return children
}

function toolbar(title: string, icon: string, items: Record<string, string>) {
  return {
    description: title,
    toolbar: {
      title,
      icon: icon as 'mirror',
      dynamicTitle: true,
      items: Object.entries(items).map(([value, label]) => ({ value, title: label })),
    },
  }
}

export default preview
