/**
 * OAuth definitions of well-known services, such as `providers.slack`. Each takes a client id and a client secret.
 *
 * @module
 */
export { bitbucket, confluence, jira } from './atlassian.ts'
export { gmail, googleCalendar, googleDocs, googleDrive, googleSheets } from './google.ts'
export { airtable, hubspot, linkedin, notion, slack } from './others.ts'
