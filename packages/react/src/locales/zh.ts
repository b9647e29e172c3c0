export { simplifiedChinese } from '@holdpoint/core/messages/zh'
