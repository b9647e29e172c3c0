import type { KoaContextWithOIDC } from 'oidc-provider'
import { pageOf } from './consent-page.ts'

type Context = Pick<KoaContextWithOIDC, 'body'>

/** Where the code of a device is typed in and confirmed. The forms are the provider's own. */
export const devicePages = {
  async userCodeInputSource(context: Context, form: string, _out?: unknown, error?: unknown) {
    const text = error ? 'This code is not known. Try again.' : 'Type in the code that your device shows.'
    context.body = pageOf(
      'Connect a device',
      `<p>${text}</p>${form}<button form="op.deviceInputForm">Continue</button>`,
    )
  },
  async userCodeConfirmSource(context: Context, form: string, _client: unknown, _info: unknown, userCode: string) {
    context.body = pageOf(
      'Connect a device',
      `<p>Go on only if your device shows this code:</p><p><code>${userCode}</code></p>${form}<button form="op.deviceConfirmForm">Continue</button>`,
    )
  },
  async successSource(context: Context) {
    context.body = pageOf('Connected', '<p>You can close this page.</p>')
  },
}
