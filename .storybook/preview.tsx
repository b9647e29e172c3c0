import '@holdpoint/react/styles.css'
import '@holdpoint/react/shadcn.css'
import '../packages/react/src/testing/fonts.css'
import './preview.css'
import type { Messages } from '@holdpoint/react'
import { arabic } from '@holdpoint/react/locales/ar'
import { german } from '@holdpoint/react/locales/de'
import { english } from '@holdpoint/react/locales/en'
import { spanish } from '@holdpoint/react/locales/es'
import { french } from '@holdpoint/react/locales/fr'
import { japanese } from '@holdpoint/react/locales/ja'
import { simplifiedChinese } from '@holdpoint/react/locales/zh'
import type { Preview } from '@storybook/react-vite'
import { StrictMode, useEffect } from 'react'
import { configure } from 'storybook/test'
import { loadParts } from '../packages/react/src/base/on-demand.ts'
import { shownCode } from '../packages/react/src/showcase/pages/shown-code.ts'
import { pseudo } from '../packages/react/src/testing/checks/pseudo.ts'
import { StoryFrame } from '../packages/react/src/testing/story-frame.tsx'
import { DocsPage } from './docs-page.tsx'

// The expected state comes later on a busy machine.
configure({ asyncUtilTimeout: 10_000 })

const locales: Readonly<Record<string, { messages: Messages; locale: string; dir?: 'rtl' }>> = {
  en: { messages: english, locale: 'en' },
  de: { messages: german, locale: 'de' },
  ar: { messages: arabic, locale: 'ar', dir: 'rtl' },
  es: { messages: spanish, locale: 'es' },
  fr: { messages: french, locale: 'fr' },
  ja: { messages: japanese, locale: 'ja' },
  zh: { messages: simplifiedChinese, locale: 'zh-Hans' },
  pseudo: { messages: pseudo(english), locale: 'en' },
}

const preview: Preview = {
  tags: ['autodocs'],
  // A story starts with a complete card.
  loaders: [() => loadParts()],
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
    docs: { toc: true, container: DocsPage, source: { transform: shownCode } },
    options: {
      storySort: {
        order: [
          'Start here',
          'Playground',
          'Design tools',
          'Anatomy',
          'States',
          'Hooks',
          'Keyboard',
          'Theming',
          'Content guide',
          'Components',
          'Examples',
          'Devtools',
        ],
      },
    },
  },
  initialGlobals: { theme: 'system', contrast: 'system', direction: 'auto', locale: 'en', strict: 'on' },
  globalTypes: {
    theme: toolbar('Theme', 'mirror', { system: 'Theme of the system', light: 'Light', dark: 'Dark' }),
    contrast: toolbar('Contrast', 'contrast', { system: 'Usual contrast', more: 'More contrast' }),
    direction: toolbar('Direction', 'transfer', {
      auto: 'Direction of the language',
      ltr: 'Left to right',
      rtl: 'Right to left',
    }),
    locale: toolbar('Language', 'globe', {
      ...{ en: 'English', de: 'Deutsch', ar: 'العربية', es: 'Español', fr: 'Français', ja: '日本語', zh: '简体中文' },
      pseudo: 'Pseudo',
    }),
    strict: toolbar('StrictMode', 'lock', { on: 'StrictMode', off: 'Not strict' }),
  },
  decorators: [
    (Story, { globals, viewMode }) => {
      const { theme, contrast, direction, locale, strict } = globals as Record<string, string>
      const { messages, locale: tag, dir } = locales[locale ?? 'en'] ?? locales.en!
      const chosen = direction === 'auto' ? dir : (direction as 'ltr' | 'rtl')
      const framed = (
        <StoryFrame messages={messages} locale={tag}>
          <Story />
        </StoryFrame>
      )
      return (
        <Page
          inDocs={viewMode === 'docs'}
          theme={theme ?? 'system'}
          contrast={contrast ?? 'system'}
          dir={chosen}
          lang={tag}
        >
          {strict === 'off' ? framed : <StrictMode>{framed}</StrictMode>}
        </Page>
      )
    },
  ],
}

interface PageProps {
  inDocs: boolean
  theme: string
  contrast: string
  dir: 'ltr' | 'rtl' | undefined
  lang: string
  children: React.ReactNode
}

/** Does what an application's own page does. A documentation page is English prose, so there the story alone follows. */
function Page({ inDocs, ...props }: PageProps) {
  const { theme, contrast, dir, lang, children } = props
  if (!inDocs) return <WholePage {...props} />
  return (
    <div data-hp-theme={theme === 'system' ? 'auto' : theme} data-hp-contrast={contrast} lang={lang} dir={dir}>
      {children}
    </div>
  )
}

function WholePage({ theme, contrast, dir, lang, children }: Omit<PageProps, 'inDocs'>) {
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
