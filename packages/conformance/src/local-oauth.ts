export { type LocalOAuth, type LocalOAuthOptions, localOAuth, type PostedMessage } from './oauth/local-oauth.ts'
export { TestBrowser, type TestBrowserOptions, type VisitedPage } from './oauth/test-browser.ts'
