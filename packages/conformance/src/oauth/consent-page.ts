/** The consent page of a simulated service: it asks which account to use and whether the app may access it. */
export function consentPage(service: string, scopes: readonly string[], action: string, signedIn?: string): string {
  const who = signedIn
    ? `Signed in as <b>${escapeHtml(signedIn)}</b>`
    : '<label>Sign in as <input name="login" value="ada" required></label>'
  const items = scopes.map((scope) => `<li>${escapeHtml(scope)}</li>`).join('')
  return pageOf(
    service,
    `<p>Your app asks for:</p><ul>${items}</ul>
<form method="post" action="${escapeHtml(action)}">
<p>${who}</p>
<button name="decision" value="allow">Allow</button>
<button name="decision" value="deny">Deny</button>
</form>`,
  )
}

/** A page of the simulated service; it loads no external resources. */
export function pageOf(title: string, body: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(title)} (local)</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>body{font:16px/1.5 system-ui,sans-serif;max-width:28rem;margin:4rem auto;padding:0 1rem}button{font:inherit;padding:.5rem 1rem}</style></head>
<body><h1>${escapeHtml(title)}</h1>
<p>This is a local stand-in: no account is needed, and nothing leaves your machine.</p>
${body}</body></html>`
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`)
}
