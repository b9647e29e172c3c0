import { Questions } from './questions'

export default function Page() {
  return <Questions />
}
