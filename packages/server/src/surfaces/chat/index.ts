export { type ChatBot, chatSurface } from './chat.ts'
