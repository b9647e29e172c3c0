import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { UIMessage } from 'ai'
import { home } from './keys.ts'
import { once } from './once.ts'

/** A conversation and whose it is. Its id is the Holdpoint session's too. */
export interface Chat {
  id: string
  userId: string
}

export interface ChatSummary {
  id: string
  title: string
}

/** The conversations. Yours are in your own database: two tables are enough. */
const database = () =>
  once('chats', () => {
    mkdirSync(home, { recursive: true })
    const db = new DatabaseSync(join(home, 'chats.db'))
    db.exec(`
      pragma journal_mode = wal;
      create table if not exists chats (id text primary key, user_id text, title text, updated integer);
      create table if not exists messages (chat_id text, id text, json text, primary key (chat_id, id));
    `)
    return db
  })

/** True if the chat belongs to this user, or is new. */
export function mayRead(id: string, userId: string): boolean {
  const row = database().prepare('select user_id from chats where id = ?').get(id)
  return row === undefined || row.user_id === userId
}

export function chatsOf(userId: string): ChatSummary[] {
  const rows = database().prepare('select id, title from chats where user_id = ? order by updated desc').all(userId)
  return rows.map(({ id, title }) => ({ id: String(id), title: String(title) }))
}

export function messagesOf(id: string): UIMessage[] {
  const rows = database().prepare('select json from messages where chat_id = ? order by rowid').all(id)
  return rows.map(({ json }) => JSON.parse(String(json)) as UIMessage)
}

/** Adds a message. False if it was there already. */
export function addMessage(chat: Chat, message: UIMessage): boolean {
  touch(chat, message)
  const added = database().prepare('insert into messages values (?, ?, ?) on conflict do nothing')
  return added.run(chat.id, message.id, JSON.stringify(message)).changes > 0
}

/** Adds a message, or writes a newer state of it into its place. */
export function saveMessage(chat: Chat, message: UIMessage): void {
  touch(chat, message)
  database()
    .prepare('insert into messages values (?, ?, ?) on conflict (chat_id, id) do update set json = excluded.json')
    .run(chat.id, message.id, JSON.stringify(message))
}

function touch(chat: Chat, message: UIMessage): void {
  const db = database()
  db.prepare(
    `insert into chats values (?, ?, ?, ?) on conflict (id) do update set updated = excluded.updated
     where user_id = excluded.user_id`,
  ).run(chat.id, chat.userId, titleFrom(message), Date.now())
}

const titleFrom = (message: UIMessage) => textOf(message).slice(0, 60) || 'New chat'

export const textOf = ({ parts }: UIMessage) =>
  parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')

type ToolPart = Extract<UIMessage['parts'][number], { toolCallId: string }>

/** The part of a tool call, and its message. */
export function findCall(chatId: string, toolCallId: string): { message: UIMessage; part: ToolPart } | undefined {
  for (const message of messagesOf(chatId)) {
    const part = message.parts.find((one): one is ToolPart => 'toolCallId' in one && one.toolCallId === toolCallId)
    if (part) return { message, part }
  }
  return undefined
}
