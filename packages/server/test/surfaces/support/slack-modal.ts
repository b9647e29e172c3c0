import type { FormPresses } from '@holdpoint/conformance/surface'

interface Text {
  type: string
  text: string
}
interface Element {
  type: string
  action_id: string
  initial_value?: string
  placeholder?: Text
  min_length?: number
  max_length?: number
  initial_date_time?: number
  options?: { text: Text; value: string; description?: Text }[]
  initial_option?: { text: Text; value: string }
  initial_options?: { text: Text; value: string }[]
  initial_date?: string
}
export interface ModalBlock {
  type: string
  block_id?: string
  text?: Text
  label?: Text
  hint?: Text
  optional?: boolean
  element?: Element
}
export interface ModalView {
  type: string
  title: Text
  submit?: Text
  callback_id?: string
  private_metadata?: string
  blocks: ModalBlock[]
}

/** Returns the problem for which Slack would reject a modal; undefined if Slack accepts it. */
export function problemOf(view: ModalView): string | undefined {
  const inputs = view.blocks.filter(({ type }) => type === 'input')
  const ids = inputs.map(({ block_id }) => block_id)
  const options = inputs.flatMap(({ element }) => element?.options ?? [])
  const rules: Record<string, boolean> = {
    'a title of at most 24 characters': view.title.type === 'plain_text' && view.title.text.length <= 24,
    'a submit text of at most 24 characters, with inputs':
      inputs.length === 0 || (view.submit?.text.length ?? 99) <= 24,
    'at most 100 blocks': view.blocks.length <= 100,
    'at most 3,000 characters of metadata': (view.private_metadata ?? '').length <= 3_000,
    'ids of blocks that differ': new Set(ids).size === ids.length,
    'texts of 1 to 3,000 characters': view.blocks.every(({ text }) => !text || between(text.text, 3_000)),
    'labels of 1 to 2,000 characters': inputs.every(({ label }) => label && between(label.text, 2_000)),
    'options of 1 to 75 characters': options.every(({ text }) => between(text.text, 75)),
    'descriptions of options of 1 to 75 characters': options.every(
      ({ description }) => !description || between(description.text, 75),
    ),
    'values of options of at most 150 characters': options.every(({ value }) => value.length <= 150),
    'at most 100 options': inputs.every(({ element }) => (element?.options?.length ?? 1) <= 100),
    'hints of 1 to 2,000 characters': inputs.every(({ hint }) => !hint || between(hint.text, 2_000)),
    'placeholders of 1 to 150 characters': inputs.every(
      ({ element }) => !element?.placeholder || between(element.placeholder.text, 150),
    ),
    'lengths of texts of at most 3,000': inputs.every(
      ({ element }) => (element?.min_length ?? 0) <= 3_000 && (element?.max_length ?? 1) <= 3_000,
    ),
    'times of ten digits': inputs.every(
      ({ element }) => !element?.initial_date_time || /^\d{10}$/.test(`${element.initial_date_time}`),
    ),
    'at most 10 radio buttons or checkboxes': inputs.every(
      ({ element }) => !/radio|checkboxes/.test(element?.type ?? '') || (element?.options?.length ?? 0) <= 10,
    ),
  }
  return Object.entries(rules).find(([, holds]) => !holds)?.[0]
}

const between = (text: string, most: number) => text.length >= 1 && text.length <= most

/** The modal that Slack shows to one user, as the user fills it in. */
export class ShownModal {
  readonly view: ModalView
  private readonly typed = new Map<string, string>()

  constructor(view: ModalView) {
    this.view = view
  }

  values(): Record<string, string> {
    return Object.fromEntries(
      this.inputs().map((block) => [block.label!.text, this.typed.get(block.block_id!) ?? startOf(block.element!)]),
    )
  }

  type(values: Readonly<Record<string, string>>): void {
    for (const [label, value] of Object.entries(values)) this.typed.set(this.blockOf(label), value)
  }

  /** The state as Slack sends it with the submission. */
  state(): object {
    const values = this.values()
    const entries = this.inputs().map((block) => {
      const value = values[block.label!.text] ?? ''
      return [block.block_id!, { value: stateOf(block.element!, value) }]
    })
    return { values: Object.fromEntries(entries) }
  }

  labelOf(blockId: string): string {
    const found = this.inputs().find(({ block_id }) => block_id === blockId)
    if (!found) throw new Error(`Slack shows no error for an unknown block: ${blockId}`)
    return found.label!.text
  }

  private inputs(): ModalBlock[] {
    return this.view.blocks.filter(({ type }) => type === 'input')
  }

  private blockOf(label: string): string {
    return this.inputs().find((block) => block.label!.text === label)!.block_id!
  }
}

function startOf({ initial_value, initial_option, initial_options, initial_date }: Element): string {
  const chosen = (initial_options ?? []).map(({ text }) => text.text).join(', ')
  return initial_value ?? initial_option?.text.text ?? initial_date ?? chosen
}

function stateOf({ type, options = [] }: Element, value: string): object {
  const chosen = options.filter(({ text }) => value.split(', ').includes(text.text))
  switch (type) {
    case 'radio_buttons':
    case 'static_select':
      return { type, selected_option: chosen[0] ?? null }
    case 'checkboxes':
    case 'multi_static_select':
      return { type, selected_options: chosen }
    case 'datepicker':
      return { type, selected_date: value || null }
    case 'datetimepicker':
      return { type, selected_date_time: value ? Math.floor(Date.parse(value) / 1_000) : null }
    default:
      return { type, value: value || null }
  }
}

/** Forms on Slack: `signed` makes the request of a payload, `press` the one of a button. */
export function slackForms(
  signed: (payload: object, secret?: string) => Request,
  press: (messageOf: string, by: string) => Request,
) {
  let modal: ShownModal | undefined
  const payload = (by: string, values: Readonly<Record<string, string>>) => {
    modal!.type(values)
    const { callback_id, private_metadata } = modal!.view
    const view = { id: 'V1', callback_id, private_metadata, state: modal!.state() }
    return { type: 'view_submission', user: { id: `U${by}`, team_id: 'T1' }, view }
  }
  const form: FormPresses = {
    open({ messageOf, by }) {
      modal = undefined
      return press(messageOf, by)
    },
    isOpen: () => modal !== undefined,
    values: () => modal?.values() ?? {},
    submit: (by, values) => signed(payload(by, values)),
    forged: (by, values) => signed(payload(by, values), 'another'),
    async take(reply) {
      const text = await reply.text()
      if (text === '') return { closed: true }
      const { response_action, errors = {}, view } = JSON.parse(text)
      if (response_action === 'errors') {
        const named = Object.entries(errors).map(([block, error]) => [modal!.labelOf(block), String(error)])
        return { errors: Object.fromEntries(named) }
      }
      show(view)
      return { notice: view.blocks.map((block: ModalBlock) => block.text?.text ?? '').join('\n') }
    },
  }
  function show(view: ModalView): void {
    const problem = problemOf(view)
    if (problem) throw new Error(`Slack refuses the modal. It needs ${problem}.`)
    modal = new ShownModal(view)
  }
  return { form, show, shown: () => modal }
}
