/** The reader's account store, with one table in memory. */
const connected = new Set<string>()
export const vault = {
  connected,
  has: async (user: string, integration: string) => connected.has(`${user} ${integration}`),
  link: async (_user: string, integration: string, returnTo?: string) =>
    `https://vault.example/${integration}?back=${returnTo}`,
  token: async (user: string, integration: string) => `token of ${user} for ${integration}`,
}
