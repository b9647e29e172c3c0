import { CardAbout, CardByline, CardPrompt, CardTitle } from '../card/heading.tsx'
import { CardActions } from '../card/layout.tsx'
import { CardOutcome } from '../card/outcome.tsx'
import { CardStatus } from '../card/status.tsx'
import { CardTimeLeft } from '../card/time-left.tsx'
import { AccountsCard, AuthRequestCardList, AuthRequestCardProgress, AuthRequestCardStop } from './accounts-card.tsx'
import { AuthRequestCardRoot } from './root.tsx'
import { AuthRequestCardRow } from './row.tsx'

/**
 * Asks to connect accounts, one row each, in the middle of a task.
 *
 * @example
 * <AuthRequestCard interaction={question} />
 *
 * @example
 * <AuthRequestCard.Root interaction={question}>
 *   <AuthRequestCard.Prompt />
 *   <AuthRequestCard.List />
 *   <AuthRequestCard.Actions><AuthRequestCard.Stop /></AuthRequestCard.Actions>
 *   <AuthRequestCard.Outcome />
 * </AuthRequestCard.Root>
 */
export const AuthRequestCard = /* @__PURE__ */ Object.assign(AccountsCard, {
  Root: AuthRequestCardRoot,
  Title: CardTitle,
  Byline: CardByline,
  Prompt: CardPrompt,
  About: CardAbout,
  TimeLeft: CardTimeLeft,
  List: AuthRequestCardList,
  Row: AuthRequestCardRow,
  Progress: AuthRequestCardProgress,
  Status: CardStatus,
  Actions: CardActions,
  Stop: AuthRequestCardStop,
  Outcome: CardOutcome,
})
