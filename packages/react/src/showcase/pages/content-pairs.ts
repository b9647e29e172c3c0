import type { Interaction } from '@holdpoint/core'
import { approval } from '../../testing/interactions.ts'

interface Pair {
  dont: Interaction
  do: Interaction
  why: string
}

type Request = NonNullable<NonNullable<Parameters<typeof approval>[0]>['request']>

const args = { recipients: ['grace@example.com', 'alan@example.org'], subject: 'Offer' }
const pair = (name: string, dont: Request, better: Request, why: string): Pair => {
  const card = (side: string, request: Request) =>
    approval({ interactionId: `${name}-${side}`, toolName: 'send_offers', request: { args, ...request } })
  return { dont: card('dont', dont), do: card('do', better), why }
}
const requester = { name: 'Sales agent' }
const asked = { prompt: 'Send the offer to 2 customers?', requester }
const labels = { approve: 'Send 2 e-mails', deny: 'Do not send' }

/** One pair for each chapter of the content guide. */
export const pairs = {
  question: pair(
    'question',
    { prompt: 'The agent wants to run send_offers. This is safe. Continue?', labels, requester },
    { ...asked, labels },
    'The question names the effect and its size. The tool is in the line below, and no sentence calms the reader.',
  ),

  facts: pair(
    'facts',
    {
      ...asked,
      labels,
      facts: [
        { label: 'Please note that this operation sends e-mail to people who are not part of your organization' },
      ],
    },
    {
      ...asked,
      labels,
      facts: [
        { label: '2 recipients outside your company', tone: 'warning' },
        { label: 'Cannot be undone', tone: 'danger' },
      ],
    },
    'A fact is a few words. Its tone says how much it matters.',
  ),

  buttons: pair(
    'buttons',
    { ...asked, labels: { approve: 'OK', deny: 'Cancel' } },
    { ...asked, labels },
    'A screen reader reads a button alone. "OK" says nothing there, and "Cancel" does not say what is cancelled.',
  ),

  names: pair(
    'names',
    { ...asked, requester: { name: 'agent-7f3a (gpt)' }, labels },
    { ...asked, labels },
    'Name the requester as your users know it. Identifiers belong in the log.',
  ),
}
