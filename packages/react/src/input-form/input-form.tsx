import { CardPopOut, CardPopOutTrigger } from '../card/elements/pop-out.tsx'
import { CardFacts } from '../card/facts.tsx'
import { CardAbout, CardByline, CardPrompt, CardTitle } from '../card/heading.tsx'
import { CardActions } from '../card/layout.tsx'
import { CardOutcome } from '../card/outcome.tsx'
import { CardStatus } from '../card/status.tsx'
import { CardTimeLeft } from '../card/time-left.tsx'
import { FormCard } from './form-card.tsx'
import {
  InputFormDecline,
  InputFormDismiss,
  InputFormErrorSummary,
  InputFormFields,
  InputFormForm,
  InputFormKeptDraft,
  InputFormSubmit,
} from './parts.tsx'
import { InputFormRoot } from './root.tsx'
import { InputFormAnswers, InputFormStep } from './steps.tsx'

/**
 * Asks for information, field by field.
 *
 * @example
 * <InputForm interaction={question} />
 *
 * @example
 * <InputForm.Root interaction={question}>
 *   <InputForm.Prompt />
 *   <InputForm.Form>
 *     <InputForm.ErrorSummary />
 *     <InputForm.Fields />
 *     <InputForm.Actions><InputForm.Decline /><InputForm.Submit /></InputForm.Actions>
 *   </InputForm.Form>
 *   <InputForm.Outcome />
 * </InputForm.Root>
 */
export const InputForm = /* @__PURE__ */ Object.assign(FormCard, {
  Root: InputFormRoot,
  Title: CardTitle,
  Byline: CardByline,
  Prompt: CardPrompt,
  About: CardAbout,
  Facts: CardFacts,
  TimeLeft: CardTimeLeft,
  PopOut: CardPopOut,
  PopOutTrigger: CardPopOutTrigger,
  Form: InputFormForm,
  ErrorSummary: InputFormErrorSummary,
  Step: InputFormStep,
  Answers: InputFormAnswers,
  Fields: InputFormFields,
  Status: CardStatus,
  Actions: CardActions,
  Decline: InputFormDecline,
  Submit: InputFormSubmit,
  Dismiss: InputFormDismiss,
  Outcome: CardOutcome,
  KeptDraft: InputFormKeptDraft,
})
