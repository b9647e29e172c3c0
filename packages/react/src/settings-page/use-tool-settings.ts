import { type SettingsOptions, useSettingsQuery } from './use-settings-query.ts'

/** The choices that a tool offers, and the user's choice. */
export interface ToolSetting {
  toolName: string
  choices: readonly string[]
  /** Null: the tool decides. */
  choice: string | null
}

const none: readonly ToolSetting[] = []

/**
 * The tools whose setting this user may choose, and how to choose it.
 *
 * @example
 * const { settings, choose } = useToolSettings({ url: '/holdpoint' })
 */
export function useToolSettings(options: SettingsOptions) {
  const { data, change, ...query } = useSettingsQuery<{ toolSettings: ToolSetting[] }>(options, '/tool-settings')
  return {
    ...query,
    settings: data?.toolSettings ?? none,
    /** Null restores what the tool does by itself. */
    choose: (toolName: string, choice: string | null) => change('/tool-settings', { toolName, choice }),
  }
}
