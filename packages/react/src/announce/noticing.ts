/** The code that names and announces questions where no card does. `useNoticing` loads it. */
export { spokenEnglish } from '@holdpoint/core/internal/spoken'
export { gistOf } from '../wording/question-text.ts'
export { watchQuestions } from './watch-questions.ts'
