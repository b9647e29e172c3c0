import { Questions } from './questions.tsx'

export default function Page() {
  return <Questions />
}
