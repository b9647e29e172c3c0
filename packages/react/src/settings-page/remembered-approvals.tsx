import { say } from '@holdpoint/core/internal'
import { readableText } from '@holdpoint/core/readable'
import type { ReactNode } from 'react'
import { usePageWords } from '../settings/use-page-words.ts'
import { useSettings } from '../settings/use-settings.ts'
import { nameText, visible } from '../wording/escape.ts'
import { toolNameOf } from '../wording/names.ts'
import { Text } from '../wording/text.tsx'
import { Section, useChanges } from './section.tsx'
import { type RememberedApproval, useRememberedApprovals } from './use-remembered-approvals.ts'
import type { SettingsOptions } from './use-settings-query.ts'

/** The props that the parts of a settings page share. */
export interface SettingsProps extends SettingsOptions {
  /**
   * The level of the heading.
   *
   * @default 2
   */
  headingLevel?: 2 | 3 | 4
}

/**
 * Lists what the assistant may do without asking, because the user approved it for a session or for always. Each
 * approval can be revoked.
 *
 * @example <RememberedApprovals url="/holdpoint" />
 */
export function RememberedApprovals({
  chatOf,
  headingLevel,
  ...options
}: SettingsProps & {
  /** The name of a session. @default its id */
  chatOf?: (sessionId: string) => string
}): ReactNode {
  const { tools } = useSettings()
  const words = usePageWords()
  const { approvals, revoke, ...query } = useRememberedApprovals(options)
  const changes = useChanges()
  return (
    <Section
      {...{ query, headingLevel, notice: changes, slotName: 'remembered-approvals' }}
      {...{ title: words.approvalsTitle, text: words.approvalsText, empty: words.approvalsEmpty }}
    >
      {approvals.map((approval) => {
        const tool = toolNameOf(approval.toolName, { tools })
        return (
          <Approval
            key={`${approval.toolName} ${approval.sessionId ?? ''} ${JSON.stringify(approval.key)}`}
            {...{ approval, tool, isBusy: changes.isBusy }}
            chat={approval.sessionId === undefined ? undefined : (chatOf?.(approval.sessionId) ?? approval.sessionId)}
            onRevoke={() => changes.run(() => revoke(approval), say(words.askedAgain, { what: nameText(tool) }))}
          />
        )
      })}
    </Section>
  )
}

function Approval({
  approval: { key, approvedAt },
  tool,
  chat,
  isBusy,
  onRevoke,
}: {
  approval: RememberedApproval
  tool: string
  chat: string | undefined
  isBusy: boolean
  onRevoke: () => void
}) {
  const { locale, messages } = useSettings()
  const words = usePageWords()
  const time = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(approvedAt))
  const covers =
    typeof key === 'string'
      ? visible(key)
      : readableText(key, {
          ...{ locale, visible },
          words: {
            ...{ yes: messages.yes, no: messages.no, none: messages.valueNone },
            ...{ empty: messages.valueEmpty, emptyList: messages.valueEmptyList },
          },
        })
  return (
    <li className="hp-settings-row">
      <div className="hp-settings-what">
        <strong>
          <bdi>{tool}</bdi>
        </strong>
        <p className="hp-settings-covers">
          <bdi>{covers}</bdi>
        </p>
        <p className="hp-note">
          <Text>
            {chat === undefined ? words.approvalAlways : say(words.approvalSession, { chat: nameText(chat) })}
          </Text>
          {' · '}
          <span suppressHydrationWarning>{say(words.approvalGiven, { time })}</span>
        </p>
      </div>
      <button
        type="button"
        className="hp-button"
        aria-disabled={isBusy || undefined}
        aria-label={`${say(words.askAgainFor, { what: tool })}, ${covers}`}
        onClick={onRevoke}
      >
        {words.askAgain}
      </button>
    </li>
  )
}
