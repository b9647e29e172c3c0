import { say } from '@holdpoint/core/internal'
import { type ReactNode, useId } from 'react'
import { usePageWords } from '../settings/use-page-words.ts'
import { useSettings } from '../settings/use-settings.ts'
import { nameText, visible } from '../wording/escape.ts'
import { infoOf, toolNameOf } from '../wording/names.ts'
import type { SettingsProps } from './remembered-approvals.tsx'
import { Section, useChanges } from './section.tsx'
import { type ToolSetting, useToolSettings } from './use-tool-settings.ts'

/**
 * When each tool asks, for the tools that let the user choose.
 *
 * @example
 * <ToolSettings url="/holdpoint" choices={{ ask: 'Ask every time', auto: 'Never ask' }} />
 */
export function ToolSettings({
  choices,
  headingLevel,
  ...options
}: SettingsProps & {
  /** The names of the choices. @default their ids */
  choices?: Readonly<Record<string, string>>
}): ReactNode {
  const { tools } = useSettings()
  const words = usePageWords()
  const { settings, choose, ...query } = useToolSettings(options)
  const changes = useChanges()
  const nameOf = (choice: string | null) =>
    choice === null
      ? words.toolDefault
      : visible((choices && Object.hasOwn(choices, choice) && choices[choice]) || choice)
  return (
    <Section
      {...{ query, headingLevel, notice: changes, slotName: 'tool-settings' }}
      {...{ title: words.toolsTitle, text: words.toolsText, empty: words.toolsEmpty }}
    >
      {settings.map((setting) => {
        const tool = toolNameOf(setting.toolName, { tools })
        return (
          <Tool
            key={setting.toolName}
            {...{ setting, tool, nameOf, isBusy: changes.isBusy }}
            description={infoOf(tools, setting.toolName)?.description}
            onChoose={(choice) =>
              changes.run(
                () => choose(setting.toolName, choice),
                say(words.toolSaved, { tool: nameText(tool), choice: nameText(nameOf(choice)) }),
              )
            }
          />
        )
      })}
    </Section>
  )
}

function Tool({
  setting: { choices, choice },
  tool,
  description,
  nameOf,
  isBusy,
  onChoose,
}: {
  setting: ToolSetting
  tool: string
  description: string | undefined
  nameOf: (choice: string | null) => string
  isBusy: boolean
  onChoose: (choice: string | null) => void
}) {
  const { slots } = useSettings()
  const id = useId()
  const Select = slots.Select ?? 'select'
  return (
    <li className="hp-settings-row">
      <div className="hp-settings-what">
        <label htmlFor={id}>
          <strong>
            <bdi>{tool}</bdi>
          </strong>
        </label>
        {description ? (
          <p className="hp-note">
            <bdi>{description}</bdi>
          </p>
        ) : null}
      </div>
      <Select
        id={id}
        className="hp-input hp-select"
        value={choice ?? ''}
        aria-disabled={isBusy || undefined}
        onChange={({ currentTarget }) => onChoose(currentTarget.value || null)}
      >
        <option value="">{nameOf(null)}</option>
        {choices.map((one) => (
          <option key={one} value={one}>
            {nameOf(one)}
          </option>
        ))}
      </Select>
    </li>
  )
}
