export { ArgsChange } from './args-change.tsx'
export { DiffViewer } from './diff.tsx'
