export { fieldsFromZod } from './from-zod.ts'
export { zodFromFields } from './to-zod.ts'
