/**
 * Returns true for browsers inside other apps. They cannot open a second window or lose it, so connecting leaves the
 * page and returns to it.
 *
 * @example const mode = isInAppBrowser(navigator.userAgent) ? 'redirect' : 'popup'
 */
export function isInAppBrowser(userAgent: string): boolean {
  const named = /\b(?:FBAN|FBAV|FB_IAB|Instagram|Line\/|MicroMessenger|Snapchat|Twitter|LinkedInApp|TikTok|GSA\/)/
  const androidWebView = /; wv\)/
  const iosWebView = /\b(?:iPhone|iPad|iPod)\b(?=.*AppleWebKit)(?!.*Safari\/)/
  return named.test(userAgent) || androidWebView.test(userAgent) || iosWebView.test(userAgent)
}
