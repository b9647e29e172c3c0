import type { Holdpoint } from '@holdpoint/server'
import { answerPage } from '@holdpoint/server/answer-page'
import { emailSurface } from '@holdpoint/server/email'
import { addSurfaces } from '@holdpoint/server/surfaces'
import { origin } from '../origin.ts'
import { addressOf } from '../people.ts'
import { catcher } from './catcher.ts'

/** Sends each question by e-mail, with a link to a page on which it is answered without a login. */
export function addAnswerByMail(holdpoint: Holdpoint): void {
  const pages = answerPage(holdpoint, {
    url: `${origin}/holdpoint`,
    signInUrl: (page) => `/login?next=${encodeURIComponent(new URL(page).pathname)}`,
    // For the phone on the page "Mail".
    allowFramed: true,
  })
  addSurfaces(holdpoint, {
    pages,
    surfaces: [
      emailSurface({
        transport: catcher,
        from: { name: 'Holdpoint example', address: 'agent@example.com' },
        addressOf: ({ userId }) => addressOf(userId),
      }),
    ],
    // Once the chat and the inbox have not been on a visible page for 5 seconds: open the page "Mail" to see it happen.
    route: { unseenFor: '5s', remind: ['2m'] },
  })
}
