export { english } from './en.ts'
export { type Approval, type Messages, type Sentence, say } from './messages.ts'
export { type PluralForms, plural } from './plural.ts'
export { type SpokenMessages, spokenEnglish } from './spoken.ts'
