import { describe, expect, test } from 'vitest'
import { integrationWords, toolWords } from './names.ts'

describe('the words of a tool', () => {
  test.each([
    ['delete_files', 'Delete files'],
    ['deleteFiles', 'Delete files'],
    ['files.delete-all', 'Files delete all'],
    ['mcp__github__createIssue', 'Mcp github create issue'],
    ['sendHTTPRequest', 'Send HTTP request'],
    ['SQL_query2', 'SQL query2'],
    ['restart', 'Restart'],
  ])('%s are "%s"', (id, words) => expect(toolWords(id)).toBe(words))

  test.each([
    ['', ''],
    ['_private', '_private'],
    ['delete files', 'delete files'],
    ['d\u0435lete_files', 'd\u0435lete_files'],
    ['delete\u202e_selif', 'delete\u202e_selif'],
    ['2fa', '2fa'],
  ])('are the id itself if it is no plain identifier: %j', (id, words) => expect(toolWords(id)).toBe(words))
})

test.each([
  ['slack', 'Slack'],
  ['google-calendar', 'Google Calendar'],
  ['google_calendar v2', 'Google Calendar V2'],
  ['', ''],
])('the id %j of an integration is the name "%s"', (id, name) => expect(integrationWords(id)).toBe(name))
