/** The requirements for every bridge, by the id with which a driver reports that a row cannot apply. */
export const BRIDGE_ROWS = {
  fifty_answers: 'fifty different answers at once: one wins, and the tool runs as it says',
  fifty_resumes: 'one approval resumed fifty times at once on two nodes runs the tool once, and all receive its output',
  repeated: 'a resume that is repeated after the end returns the recorded output',
  killed_waiting: 'a question survives kill -9 of the process that asked, and its answer runs the tool in another one',
  killed_running: 'a tool whose process is killed with kill -9 continues in another one without repeating its effect',
  forged: 'a forged resume runs nothing, and leaves the question open for the real answer',
  foreign_user: 'another user can neither answer nor resume',
  other_arguments: 'an approval does not run other arguments under the same ids',
  partial: 'a resume that covers two questions of which one is answered runs only the answered call',
  answered_elsewhere: 'an answer from another surface counts, whatever the resume payload says',
  expired: 'a question without an answer expires: the tool does not run, and the model reads that',
  late: 'an answer after the deadline is refused and runs nothing',
  denied: 'a denied tool does not run, and the model reads the reason',
  superseded: 'a new message ends the question: a later approval is refused and runs nothing',
  edited: 'edited arguments are the ones that run',
  invalid_edit: 'edited arguments that the tool forbids do not run: the user receives the question again',
  shown_is_run:
    'in random lives of an approval, the tool runs with the arguments on screen at the decisive press, or not at all',
  two_questions: 'a tool that asks two questions receives both answers and runs once',
  secret: 'the value of a secret field reaches the tool and appears in no state of the framework and no event',
  connect: 'a tool that needs an account waits until it is connected',
} as const

/** One row of the suite. */
export type BridgeRow = keyof typeof BRIDGE_ROWS
