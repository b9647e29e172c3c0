import { defineOAuthProvider } from '../oauth/provider.ts'

/** https://developers.google.com/identity/protocols/oauth2/web-server */
const google = {
  issuer: 'https://accounts.google.com',
  authorizationEndpoint: 'https://accounts.google.com/o/oauth2/v2/auth',
  tokenEndpoint: 'https://oauth2.googleapis.com/token',
  deviceEndpoint: 'https://oauth2.googleapis.com/device/code',
  revocationEndpoint: 'https://oauth2.googleapis.com/revoke',
  baseScopes: ['openid', 'email', 'profile'],
  // Without both parameters, a second consent returns no refresh token.
  authorizationParams: { access_type: 'offline', prompt: 'consent', include_granted_scopes: 'true' },
  profile: {
    from: 'id_token',
    accountId: 'sub',
    user: { name: 'name', email: 'email', picture: 'picture' },
  },
} as const

const scope = (name: string) => `https://www.googleapis.com/auth/${name}`

/**
 * Reads and sends a user's mail.
 *
 * @example
 * import { providers } from '@holdpoint/server/accounts'
 * const { GOOGLE_ID = '', GOOGLE_SECRET = '' } = process.env
 * const provider = providers.gmail({ clientId: GOOGLE_ID, clientSecret: GOOGLE_SECRET })
 */
export const gmail = defineOAuthProvider({
  ...google,
  id: 'gmail',
  name: 'Gmail',
  scopes: [scope('gmail.readonly'), scope('gmail.send')],
})

/**
 * Reads and changes events of a user's calendars.
 *
 * @example
 * import { providers } from '@holdpoint/server/accounts'
 * const { GOOGLE_ID = '', GOOGLE_SECRET = '' } = process.env
 * const provider = providers.googleCalendar({ clientId: GOOGLE_ID, clientSecret: GOOGLE_SECRET })
 */
export const googleCalendar = defineOAuthProvider({
  ...google,
  id: 'google-calendar',
  name: 'Google Calendar',
  scopes: [scope('calendar.events')],
})

/**
 * Reads and writes a user's documents.
 *
 * @example
 * import { providers } from '@holdpoint/server/accounts'
 * const { GOOGLE_ID = '', GOOGLE_SECRET = '' } = process.env
 * const provider = providers.googleDocs({ clientId: GOOGLE_ID, clientSecret: GOOGLE_SECRET })
 */
export const googleDocs = defineOAuthProvider({
  ...google,
  id: 'google-docs',
  name: 'Google Docs',
  scopes: [scope('documents')],
})

/**
 * Reads and writes a user's spreadsheets.
 *
 * @example
 * import { providers } from '@holdpoint/server/accounts'
 * const { GOOGLE_ID = '', GOOGLE_SECRET = '' } = process.env
 * const provider = providers.googleSheets({ clientId: GOOGLE_ID, clientSecret: GOOGLE_SECRET })
 */
export const googleSheets = defineOAuthProvider({
  ...google,
  id: 'google-sheets',
  name: 'Google Sheets',
  scopes: [scope('spreadsheets')],
})

/**
 * Reads and writes files that the app created or that the user opened with it. Request `drive.readonly` in `scopes` to
 * read all files.
 *
 * @example
 * import { providers } from '@holdpoint/server/accounts'
 * const { GOOGLE_ID = '', GOOGLE_SECRET = '' } = process.env
 * const provider = providers.googleDrive({ clientId: GOOGLE_ID, clientSecret: GOOGLE_SECRET })
 */
export const googleDrive = defineOAuthProvider({
  ...google,
  id: 'google-drive',
  name: 'Google Drive',
  scopes: [scope('drive.file')],
})
