export { fieldsFromZod } from './zod/from-zod.ts'
export { zodFromFields } from './zod/to-zod.ts'
