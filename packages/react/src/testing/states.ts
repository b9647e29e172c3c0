import type { Interaction } from '@holdpoint/core'
import type { InteractionResponseEvent } from '@holdpoint/core/internal'

import type { CardProps } from '../card/elements/card-context.ts'
import { answered, NOW } from './interactions.ts'

type Props = Pick<CardProps, 'interaction' | 'interactive' | 'mayAnswer' | 'connection' | 'callStatus'>
type Yes = Pick<InteractionResponseEvent, 'action'> & Partial<InteractionResponseEvent>

/** Every state that a card can be in, reached by its props alone. */
export function everyState(base: Interaction, yes: Yes): Record<string, Props> {
  const draft = { answerId: 'a1', answer: { action: yes.action, ...(yes.input ? { input: yes.input } : {}) } }
  const ended = (status: Interaction['status']): Props => ({ interaction: { ...base, status } })
  return {
    Loading: { interaction: undefined },
    Pending: { interaction: base },
    Submitting: { interaction: { ...base, status: 'submitting', draft } },
    NotSent: {
      interaction: { ...base, status: 'not_sent', draft, problem: { code: 'network', message: 'The network is gone' } },
    },
    Answered: { interaction: answered(base, yes) },
    ApprovedStillRunning: { interaction: answered(base, yes), callStatus: 'running' },
    AnsweredElsewhere: { interaction: answered(base, yes, { here: false, name: 'Ada' }) },
    Expired: ended('expired'),
    Cancelled: ended('cancelled'),
    Superseded: ended('superseded'),
    ToolFailed: { interaction: { ...answered(base, yes), status: 'failed' } },
    Reprompted: {
      interaction: {
        ...base,
        interactionId: 'q2',
        replaces: base.interactionId,
        request: {
          ...base.request,
          attempt: 2,
          error: 'The folder has changed since. Look again.',
        } as Interaction['request'],
      },
    },
    ReadOnly: { interaction: base, interactive: false },
    MayNotAnswer: { interaction: base, mayAnswer: false },
    SignedOut: { interaction: base, connection: 'unauthorized' },
    Disconnected: { interaction: base, connection: 'reconnecting' },
    Deferred: { interaction: { ...base, deferred: true } },
    TimeRunningOut: {
      interaction: {
        ...base,
        expiresAt: NOW + 110_000,
        request: { ...base.request, extendable: true } as Interaction['request'],
      },
    },
  }
}

/** Texts of an attacker: reversed, hidden, endless, or similar to HTML. */
export const hostile = {
  turned: 'Pay invoice\u202Efdp.exe\u202C to a\u200Bda',
  html: '<img src=x onerror="window.pwned=1"><script>window.pwned=1</script> <b>bold</b> [link](javascript:alert(1))',
  long: `${'Very long text without an end '.repeat(120)}${'x'.repeat(400)}`,
}
