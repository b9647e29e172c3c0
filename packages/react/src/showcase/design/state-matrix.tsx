import { type ReactNode, useState } from 'react'
import { ApprovalDialog } from '../../approval-dialog/approval-dialog.tsx'
import { AuthRequestCard } from '../../auth-request-card/auth-request-card.tsx'
import { InputForm } from '../../input-form/input-form.tsx'
import { UnknownCard } from '../../interaction-view/unknown-card.tsx'
import { approval, connect, form, unknown } from '../../testing/interactions.ts'
import { everyState } from '../../testing/states.ts'
import '../showcase.css'
import { Choice } from './choice.tsx'

const cards = {
  Approval: {
    states: everyState(approval({ interactionId: 'a' }), { action: 'approve' }),
    Card: ApprovalDialog,
  },
  Form: {
    states: everyState(form({ interactionId: 'f' }), {
      action: 'submit',
      input: { email: 'ada@example.com', copies: 2 },
    }),
    Card: InputForm,
  },
  Accounts: {
    states: everyState(connect({ interactionId: 'c' }), { action: 'approve' }),
    Card: AuthRequestCard,
  },
} as const

type CardName = keyof typeof cards
const CHOICES = ['All cards', 'Approval', 'Form', 'Accounts'] as const

/** The content of the card of accounts in place of a state that only answers have. */
const NOT_FOR_ACCOUNTS = ['Answered', 'ApprovedStillRunning', 'Reprompted', 'Submitting', 'NotSent', 'ToolFailed']

const stateNames = Object.keys(cards.Approval.states)
const words = (name: string) => name.replace(/(?<!^)([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`)

/** Every card in every state, in both themes and at the width of a phone or of a chat. */
export function StateMatrix({ themes, width }: { themes: 'light' | 'dark' | 'light and dark'; width: number }) {
  const [card, setCard] = useState<(typeof CHOICES)[number]>('All cards')
  const shown = Object.keys(cards).filter((name): name is CardName => card === 'All cards' || card === name)
  const sides = themes.split(' and ') as ('light' | 'dark')[]
  return (
    <main className="matrix">
      <Choice label="Card" options={CHOICES} value={card} onChoose={setCard} />
      {stateNames.map((state) => (
        <section key={state} aria-label={words(state)}>
          <h2 lang="en">{words(state)}</h2>
          <div className="matrix-row">
            {shown.flatMap((name) =>
              sides.map((theme) => (
                <Cell key={`${name} ${theme}`} theme={theme} width={width}>
                  {cell(name, state, theme)}
                </Cell>
              )),
            )}
          </div>
        </section>
      ))}
      <section aria-label="Unknown kind">
        <h2 lang="en">Unknown kind</h2>
        <div className="matrix-row">
          {sides.map((theme) => (
            <Cell key={theme} theme={theme} width={width}>
              <UnknownCard interaction={unknown({ interactionId: `unknown-${theme}` })} headingLevel={3} />
            </Cell>
          ))}
        </div>
      </section>
    </main>
  )
}

function cell(name: CardName, state: string, theme: string): ReactNode {
  if (name === 'Accounts' && NOT_FOR_ACCOUNTS.includes(state)) {
    return <p className="matrix-none">The accounts card has no such state.</p>
  }
  const { Card, states } = cards[name]
  const { interaction, ...props } = states[state]!
  const own = interaction && { ...interaction, interactionId: `${name}-${state}-${theme}` }
  return <Card interaction={own} headingLevel={3} {...props} />
}

function Cell({ theme, width, children }: { theme: string; width: number; children: ReactNode }) {
  return (
    <div className="matrix-cell" data-hp-theme={theme} style={{ inlineSize: width }}>
      {children}
    </div>
  )
}
