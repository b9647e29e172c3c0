/** What the test tells the process of the chat app. */
export interface ChatSetup {
  /** Where the page, the database, the saved chats and the notes of the tools are; shared by all processes of one app. */
  folder: string
  /** The same again after a restart; 0 lets the system choose. */
  port: number
}

/** What the app did so far, over all its processes. */
export interface ChatNotes {
  /** Requests to the chat's routes, in order: `first` or `resumed`. */
  requests: string[]
  /** What the tools did. */
  effects: string[]
  /** Every prompt that the model got. */
  prompts: string[]
}
