import { defineProvider } from '../provider.ts'

/** https://developers.google.com/identity/protocols/oauth2/web-server */
const google = {
  issuer: 'https://accounts.google.com',
  authorizationEndpoint: 'https://accounts.google.com/o/oauth2/v2/auth',
  tokenEndpoint: 'https://oauth2.googleapis.com/token',
  deviceEndpoint: 'https://oauth2.googleapis.com/device/code',
  revocationEndpoint: 'https://oauth2.googleapis.com/revoke',
  baseScopes: ['openid', 'email', 'profile'],
  // Without both a second consent brings no refresh token.
  authorizationParams: { access_type: 'offline', prompt: 'consent', include_granted_scopes: 'true' },
  profile: {
    from: 'id_token',
    accountId: 'sub',
    user: { name: 'name', email: 'email', picture: 'picture' },
  },
} as const

const scope = (name: string) => `https://www.googleapis.com/auth/${name}`

export const gmail = defineProvider({
  ...google,
  id: 'gmail',
  name: 'Gmail',
  scopes: [scope('gmail.readonly'), scope('gmail.send')],
})

export const googleCalendar = defineProvider({
  ...google,
  id: 'google-calendar',
  name: 'Google Calendar',
  scopes: [scope('calendar.events')],
})

export const googleDocs = defineProvider({
  ...google,
  id: 'google-docs',
  name: 'Google Docs',
  scopes: [scope('documents')],
})

export const googleSheets = defineProvider({
  ...google,
  id: 'google-sheets',
  name: 'Google Sheets',
  scopes: [scope('spreadsheets')],
})

/** Files that the app made or was given; ask for `drive.readonly` by `scopes` for more. */
export const googleDrive = defineProvider({
  ...google,
  id: 'google-drive',
  name: 'Google Drive',
  scopes: [scope('drive.file')],
})
