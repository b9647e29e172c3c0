import type { KoaContextWithOIDC } from 'oidc-provider'
import { pageOf } from './consent-page.ts'

type Context = Pick<KoaContextWithOIDC, 'body'>

/** The pages where a person types and confirms a device code. The forms are the provider's own. */
export const devicePages = {
  async userCodeInputSource(context: Context, form: string, _out?: unknown, error?: unknown) {
    const text = error ? 'Unknown code. Try again.' : 'Enter the code that your device shows.'
    context.body = pageOf(
      'Connect a device',
      `<p>${text}</p>${form}<button form="op.deviceInputForm">Continue</button>`,
    )
  },
  async userCodeConfirmSource(context: Context, form: string, _client: unknown, _info: unknown, userCode: string) {
    context.body = pageOf(
      'Connect a device',
      `<p>Continue only if your device shows this code:</p><p><code>${userCode}</code></p>${form}<button form="op.deviceConfirmForm">Continue</button>`,
    )
  },
  async successSource(context: Context) {
    context.body = pageOf('Connected', '<p>You can close this page.</p>')
  },
}
