import { type Action, CALLS, ORPHAN_MS, runOf, type Sight, TIMEOUT_MS, type Variant } from './actions.ts'

interface Question {
  variant: Variant
  prompts: number
  state: 'open' | 'answered' | 'deferred' | 'done' | 'late' | 'orphaned' | 'expired' | 'cancelled' | 'superseded'
  expiresAt: number
  answer?: { id: string; action: string; at: number }
  /** A process waits for it. */
  waited: boolean
  /** Its tool continued without an answer. */
  pending: boolean
  /** The value with which `onTimeout` completed. */
  completed?: boolean
}
interface Call {
  questions: Question[]
  promise: string
}

/** The state machine of the architecture, written down a second time: in memory, in one thread, without a store. */
export class Reference {
  private now = 0
  private calls: Call[] = Array.from({ length: CALLS }, () => ({ questions: [], promise: 'none' }))
  private cancelledRuns = new Set<number>()
  private followUps = 0
  private replies: string[] = []

  copy(): Reference {
    const twin = new Reference()
    twin.now = this.now
    twin.calls = structuredClone(this.calls)
    twin.cancelledRuns = new Set(this.cancelledRuns)
    twin.followUps = this.followUps
    return twin
  }

  get sight(): Sight {
    return {
      replies: this.replies,
      questions: this.calls.map(({ questions }) => questions.map(told)),
      promises: this.calls.map(({ promise }) => promise),
      followUps: this.followUps,
    }
  }

  startStep(): void {
    this.replies = []
  }

  /** `slot` is the index of the result. */
  do(action: Action, slot: number): void {
    this.replies[slot] = this.perform(action)
  }

  /** Waiting processes deal with what was answered. */
  handle(): void {
    this.calls.forEach((call, number) => {
      const last = call.questions.at(-1)
      if (last?.state === 'answered' && last.waited) this.conclude(number, last)
    })
  }

  pass(ms: number): void {
    this.now += ms
    for (const call of this.calls) {
      for (const question of call.questions) {
        if (question.state === 'open' && question.expiresAt <= this.now) expire(call, question)
        const { answer } = question
        if (question.state === 'answered' && !question.waited && answer && answer.at + ORPHAN_MS <= this.now) {
          question.state = 'orphaned'
          this.followUps++
        }
      }
    }
  }

  kill(): void {
    for (const call of this.calls) {
      if (call.promise === 'waiting') call.promise = 'dead'
      for (const question of call.questions) question.waited = false
    }
  }

  private perform(action: Action): string {
    if (action.type === 'ask') return this.ask(action.call, action.variant)
    if (action.type === 'cancel run') return this.cancelRun(action.run)
    if (action.type === 'decline') return this.decline()
    const call = this.calls[action.call]!
    const question = call.questions[action.nth]
    if (!question) return 'none'
    if (action.type === 'answer') return this.answer(question, action)
    if (action.type === 'extend') {
      if (question.state !== 'open') return 'not_extendable'
      question.expiresAt = Math.max(question.expiresAt, this.now + TIMEOUT_MS)
      return 'ok'
    }
    if (!isLive(question)) return 'false'
    end(call, question, 'cancelled')
    return 'true'
  }

  private ask(number: number, variant: Variant): string {
    const call = this.calls[number]!
    if (this.cancelledRuns.has(runOf(number))) {
      call.promise = 'cancelled'
      return 'ok'
    }
    call.promise = 'waiting'
    const last = call.questions.at(-1)
    const open = () => call.questions.push(newQuestion(variant, 1, this.now))
    if (!last) open()
    else if (last.variant === variant && last.pending) call.promise = 'pending'
    else if (last.state === 'orphaned' || last.state === 'late') open()
    else if (last.variant !== variant) {
      if (isLive(last)) last.state = 'superseded'
      open()
    } else if (last.state === 'open' || last.state === 'answered') last.waited = true
    else call.promise = recorded(last)
    return 'ok'
  }

  private answer(question: Question, { action, id }: { action: string; id: string }): string {
    const { answer, state } = question
    if (answer?.id === id) return answer.action === action ? 'replayed' : 'answer_id_reused'
    if (state === 'expired' || state === 'cancelled' || state === 'superseded') return state
    if (state !== 'open' && state !== 'deferred') return 'already_answered'
    question.answer = { id, action, at: this.now }
    question.state = state === 'open' ? 'answered' : 'late'
    if (state === 'deferred') this.followUps++
    return 'ok'
  }

  private conclude(number: number, question: Question): void {
    const call = this.calls[number]!
    question.state = 'done'
    const again = question.answer?.action === 'deny' && question.prompts === 1
    if (again) call.questions.push({ ...newQuestion(question.variant, 2, this.now), waited: true })
    else call.promise = recorded(question)
  }

  private cancelRun(run: number): string {
    if (this.cancelledRuns.has(run)) return 'ok'
    this.cancelledRuns.add(run)
    this.calls.forEach((call, number) => {
      if (runOf(number) !== run) return
      for (const question of call.questions) if (isLive(question)) end(call, question, 'cancelled')
    })
    return 'ok'
  }

  private decline(): string {
    for (const call of this.calls) {
      for (const question of call.questions) if (question.state === 'open') end(call, question, 'superseded')
    }
    return 'ok'
  }
}

const isLive = ({ state }: Question) => state === 'open' || state === 'answered' || state === 'deferred'

function newQuestion(variant: Variant, prompts: number, now: number): Question {
  return { variant, prompts, state: 'open', expiresAt: now + TIMEOUT_MS, waited: true, pending: false }
}

function end(call: Call, question: Question, state: 'cancelled' | 'superseded'): void {
  if (question.waited && call.promise === 'waiting') call.promise = state
  question.state = state
}

function expire(call: Call, question: Question): void {
  const { variant, waited } = question
  if (waited && variant === 2) {
    question.state = 'deferred'
    question.pending = true
    call.promise = 'pending'
    return
  }
  question.state = 'expired'
  if (!waited) return
  question.completed = variant === 1
  call.promise = variant === 1 ? 'timed out' : 'expired'
}

function recorded({ state, answer, prompts, completed }: Question): string {
  if (state === 'done') return `${answer?.action} ${prompts}`
  return state === 'expired' && completed ? 'timed out' : state
}

function told({ state, answer }: Question): string {
  if (state === 'cancelled' && answer) return `${answer.action}, cancelled`
  if (state === 'superseded' && answer) return `${answer.action}, superseded`
  return answer ? answer.action : state
}
