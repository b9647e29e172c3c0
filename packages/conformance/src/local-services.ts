export { localServices } from './oauth/local-services.ts'
