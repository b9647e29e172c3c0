/** One service: its display name, and the variable in which a command-line tool expects its token. */
export interface Integration {
  readonly name: string
  readonly variable: string
}

/**
 * The integrations that Holdpoint includes. Add yours by spreading.
 *
 * @example
 * const mine = { ...integrations, linear: { name: 'Linear', variable: 'LINEAR_ACCESS_TOKEN' } }
 * requireToken('linear', { integrations: mine })
 */
export const integrations: Readonly<Record<string, Integration>> = {
  slack: { name: 'Slack', variable: 'SLACK_ACCESS_TOKEN' },
  gmail: { name: 'Gmail', variable: 'GMAIL_ACCESS_TOKEN' },
  'google-calendar': { name: 'Google Calendar', variable: 'GOOGLE_CALENDAR_ACCESS_TOKEN' },
  'google-docs': { name: 'Google Docs', variable: 'GOOGLE_DOCS_ACCESS_TOKEN' },
  'google-sheets': { name: 'Google Sheets', variable: 'GOOGLE_SHEETS_ACCESS_TOKEN' },
  'google-drive': { name: 'Google Drive', variable: 'GOOGLE_DRIVE_ACCESS_TOKEN' },
  notion: { name: 'Notion', variable: 'NOTION_ACCESS_TOKEN' },
  airtable: { name: 'Airtable', variable: 'AIRTABLE_ACCESS_TOKEN' },
  hubspot: { name: 'HubSpot', variable: 'HUBSPOT_ACCESS_TOKEN' },
  linkedin: { name: 'LinkedIn', variable: 'LINKEDIN_ACCOUNT_ID' },
}
