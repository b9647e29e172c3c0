/** The introduction of each component's page: its parts, its keys, and its most important tokens. */
const page = (words: string, anatomy: string, keys: string, tokens: string) => ({
  docs: {
    description: {
      component: `${words}

**Anatomy**

\`\`\`tsx
${anatomy}
\`\`\`

**Keyboard**: ${keys} More on the page Keyboard.

**Tokens**: ${tokens} All of them are on the page Theming.`,
    },
  },
})

export const approvalPage = page(
  'May this run, with exactly these arguments? Deny is as large as approve; approve waits until it can have been read.',
  `<ApprovalDialog.Root interaction={question}>
  <ApprovalDialog.Title /> <ApprovalDialog.Risk /> <ApprovalDialog.Byline /> <ApprovalDialog.TimeLeft />
  <ApprovalDialog.Prompt />
  <ApprovalDialog.Arguments /> <ApprovalDialog.Diff />
  <ApprovalDialog.Scopes /> <ApprovalDialog.Reason /> <ApprovalDialog.Instead />
  <ApprovalDialog.Actions>
    <ApprovalDialog.Deny /> <ApprovalDialog.Approve /> <ApprovalDialog.Status />
  </ApprovalDialog.Actions>
  <ApprovalDialog.Outcome />
</ApprovalDialog.Root>`,
  'Tab goes from control to control, arrows choose scopes and hunks, Alt with ↓ or ↑ moves to the next or previous hunk, Enter and Space press a button. Escape leaves the larger view and answers nothing.',
  '`--hp-color-accent` and `--hp-color-on-accent` for approving, `--hp-color-danger` and `--hp-color-on-danger` when the risk is high, `--hp-color-success` and `--hp-color-danger` in diffs, `--hp-font-code` for arguments.',
)

export const formPage = page(
  'Asks for information, field by field. Handing in, declining and dismissing are three different answers.',
  `<InputForm.Root interaction={question}>
  <InputForm.Title /> <InputForm.Byline /> <InputForm.TimeLeft />
  <InputForm.Prompt />
  <InputForm.Form>
    <InputForm.ErrorSummary /> <InputForm.Fields />
    <InputForm.Actions>
      <InputForm.Decline /> <InputForm.Submit /> <InputForm.Dismiss /> <InputForm.Status />
    </InputForm.Actions>
  </InputForm.Form>
  <InputForm.Outcome />
</InputForm.Root>`,
  'Enter in a line hands the form in, in a text area it makes a line; not while an input method composes. After a refusal focus goes to the one problem, or to their summary.',
  '`--hp-color-control` for the edges of fields, `--hp-color-danger` for problems, `--hp-color-focus` for the ring, `--hp-space` for the rhythm.',
)

export const accountsPage = page(
  'Asks to connect accounts in the middle of a task, one row each. Only the server makes a row connected.',
  `<AuthRequestCard.Root interaction={question}>
  <AuthRequestCard.Title /> <AuthRequestCard.Byline /> <AuthRequestCard.TimeLeft />
  <AuthRequestCard.Prompt />
  <AuthRequestCard.List /> <AuthRequestCard.Progress />
  <AuthRequestCard.Actions><AuthRequestCard.Stop /> <AuthRequestCard.Status /></AuthRequestCard.Actions>
  <AuthRequestCard.Outcome />
</AuthRequestCard.Root>`,
  'each button names its account; Enter and Space open the window within the press, so that the browser allows it.',
  '`--hp-color-accent` for the button that leads on, `--hp-color-success` for the tick, `--hp-color-muted` for notes.',
)
