export { bitbucket, confluence, jira } from './atlassian.ts'
export { gmail, googleCalendar, googleDocs, googleDrive, googleSheets } from './google.ts'
export { airtable, hubspot, linkedin, notion, slack } from './others.ts'
