export { readableArgs } from './readable-args.ts'
export { readableText } from './readable-text.ts'
