/** The configuration that the test passes to the process of the chat app. */
export interface ChatSetup {
  /** Where the page, the database, the saved chats and the notes of the tools are; shared by all processes of one app. */
  folder: string
  /** The same again after a restart; 0 lets the system choose. */
  port: number
}

/** The record of what the app did, over all its processes. */
export interface ChatNotes {
  /** Requests to the chat's routes, in order: `first` or `resumed`. */
  requests: string[]
  /** The effects of the tools. */
  effects: string[]
  /** Every prompt that the model got. */
  prompts: string[]
}
