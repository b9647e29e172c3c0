import { describe, expect, test } from 'vitest'
import type { HoldpointEvent } from '../../protocol/events.ts'
import { openTerminal } from './testing/open-terminal.ts'
import { question } from './testing/question.ts'

const form = (id: string, fields: object[], rest: object = {}) =>
  question(id, { interactionType: 'input', inputSchema: { type: 'form', fields }, ...rest })

describe('approvals', () => {
  test('a terminal shows everything that will run, offers the given scopes, and ignores an empty line', async () => {
    const terminal = openTerminal([
      question('i', {
        prompt: 'Delete 2 files?',
        args: { files: ['a', 'b\u001b[2J'] },
        approvalScopes: ['once', 'session'],
        risk: 'high',
        facts: [
          { label: 'Cannot be\nundone', tone: 'danger' },
          { label: 'Owner', value: 'Ada\u202e' },
        ],
        labels: { approve: 'Delete 2 files', deny: 'Keep files' },
        diff: [{ path: 'x.ts', hunks: [{ id: 'h', oldStart: 1, newStart: 1, lines: ['-old', '+new'] }] }],
      }),
    ])
    await expect.poll(terminal.shown).toContain('[y/s/n]')
    for (const text of [
      '── Delete files\n',
      'Delete 2 files?',
      'Files:\n      - a\n      - b\\u{1b}[2J',
      'dangerous',
      '  ! Cannot be undone\n  · Owner: Ada\\u{202e}\n',
      'y  Delete 2 files',
      'n  Keep files',
      '-old',
      '+new',
    ]) {
      expect(terminal.shown()).toContain(text)
    }
    await terminal.type(['[y/s/n]', ''], ['[y/s/n]', 'a'], ['[y/s/n]', 'j'])
    await expect.poll(terminal.shown).toContain('"b\\u001b[2J"')
    await terminal.type(['[y/s/n]', 'S'])
    expect(await terminal.answer('i')).toEqual({ action: 'approve', approvalScope: 'session' })
  })

  test('a rejected edit is marked as rejected, and approving sends the arguments of the question', async () => {
    const terminal = openTerminal([
      question('i', {
        ...{ args: { amount: 5_000 }, draftArgs: { amount: 50 }, error: 'The change was refused.' },
        fieldErrors: { amount: ['Not below 1000.'] },
        approvalScopes: ['once', 'session', 'always'],
        ...{ approvalCovers: 'tool', labels: { title: 'Pay' } },
      }),
    ])
    await expect.poll(terminal.shown).toContain('[y/s/a/n]')
    const text = terminal.shown()
    const order = ['This change was refused and will not run:', 'Amount: 50\n', 'amount: Not below 1000.']
    const places = [...order, 'A yes approves what was asked at first:', 'Amount: 5000'].map((one) => text.indexOf(one))
    expect(places).not.toContain(-1)
    expect(places).toEqual([...places].sort((a, b) => a - b))
    expect(text).toContain('s  yes, in this session, for every "Pay"')
    expect(text).toContain('a  always, for every "Pay"')
    await terminal.type(['[y/s/a/n]', 'y'])
    expect(await terminal.answer('i')).toEqual({ action: 'approve', approvalScope: 'once' })
  })

  test('a person changes the arguments as JSON, sees what will run, and approves that', async () => {
    const terminal = openTerminal([question('i', { args: { files: ['a', 'b'] }, editable: true })])
    await expect.poll(terminal.shown).toContain('e  change what will run')
    await terminal.type(['[y/n]', 'e'], ['as JSON', '{ files }'], ['as JSON', '{ "files": ["a"] }'])
    await expect.poll(terminal.shown).toContain('This will run:\n    Files:\n      - a\n')
    await terminal.type(['[y = approve', 'y'])
    expect(await terminal.answer('i')).toEqual({ action: 'approve', approvalScope: 'once', args: { files: ['a'] } })
  })

  test('a change that the server rejects is shown as rejected, and an approval after it is of the original', async () => {
    let refused = false
    const terminal = openTerminal([question('i', { args: { amount: 5_000 }, editable: true })], {
      onMessage(message) {
        if (message.type !== 'tool_interaction_response' || refused) return undefined
        refused = true
        const error = { code: 'invalid_input', message: 'No.', fieldErrors: { amount: ['Not below 1000.'] } }
        return { status: 422, body: { error } }
      },
    })
    await terminal.type(['[y/n]', 'e'], ['as JSON', '{ "amount": 50 }'], ['[y = approve', 'y'])
    await expect.poll(terminal.shown).toContain('This change was refused and will not run:\n    Amount: 50')
    expect(terminal.shown()).toContain('amount: Not below 1000.')
    await terminal.type(['[y/n]', 'y'])
    expect(await terminal.answer('i')).toEqual({ action: 'approve', approvalScope: 'once' })
  })

  test('a question that is not editable offers no change', async () => {
    const terminal = openTerminal([question('i', { args: { amount: 5_000 } })])
    await terminal.type(['[y/n]', 'e'], ['[y/n]', 'y'])
    expect(terminal.shown()).not.toContain('change what will run')
    expect(await terminal.answer('i')).toEqual({ action: 'approve', approvalScope: 'once' })
  })

  test.each([
    [{ approvalCovers: 'request' }, 'yes, in this session, for exactly this request'],
    [{ approvalCovers: 'tool', approvalLabel: 'staging' }, 'yes, in this session, for staging'],
    [{}, 'yes, in this session\n'],
  ])('a wider scope is offered with the words for what it covers: %j', async (covers, words) => {
    const terminal = openTerminal([question('i', { approvalScopes: ['once', 'session'], ...covers })])
    await expect.poll(terminal.shown).toContain('[y/s/n]')
    expect(terminal.shown()).toContain(`s  ${words}`)
  })

  test('a denial with a reason is sent, then the next question appears', async () => {
    const terminal = openTerminal([question('i', {}), question('j', {})])
    await terminal.type(['[y/n]', 'n'], ['Why?', 'too many'], ['[y/n]', 'y'])
    expect(await terminal.answer('i')).toEqual({ action: 'deny', reason: 'too many' })
    expect(await terminal.answer('j')).toEqual({ action: 'approve', approvalScope: 'once' })
  })

  test('an agent cannot take control of the terminal [T14.4]', async () => {
    const terminal = openTerminal([
      question('i', { prompt: 'ok?\u001b]0;pwned\u0007\r\u202e', toolName: 'x\u001b[8m' }),
    ])
    await expect.poll(terminal.shown).toContain('[y/n]')
    for (const char of '\u001b\u0007\r\u202e') expect(terminal.shown()).not.toContain(char)
  })

  test.each([
    [{}, 'Answer within 5 minutes\n'],
    [{ answerableLater: true }, 'The assistant continues in 5 minutes. You can answer later.\n'],
  ])('a terminal names the deadline, and whether the question stays answerable: %j', async (more, words) => {
    const expiresAt = new Date(Date.now() + 290_000).toISOString()
    const terminal = openTerminal([question('i', { expiresAt, ...more })])
    await expect.poll(terminal.shown).toContain('[y/n]')
    expect(terminal.shown()).toContain(words)
  })

  test('a person asks for more time at any prompt, and the same prompt follows', async () => {
    const expiresAt = new Date(Date.now() + 290_000).toISOString()
    const asked: string[] = []
    const fields = [
      { id: 'city', type: 'text', label: 'City' },
      { id: 'pin', type: 'secret', label: 'PIN' },
    ]
    const terminal = openTerminal([form('i', fields, { expiresAt, extendable: true })], {
      onMessage(message) {
        if (message.type !== 'extend_interaction') return undefined
        asked.push(message.interactionId)
        if (asked.length > 1) return { status: 409, body: { error: { code: 'not_extendable', message: 'No.' } } }
        return { status: 200, body: { status: 'extended' } }
      },
    })
    await expect.poll(terminal.shown).toContain('Answer within 5 minutes\nType :more for more time.\nCity')
    await terminal.type(['>', ':more'])
    await expect.poll(terminal.shown).toContain('You have more time.\n  >')
    await terminal.type(['>', ' :MORE '])
    await expect.poll(terminal.shown).toContain('This question allows no more time.\n  >')
    await terminal.type(['>', 'Bonn'], ['>', ':more'], ['[y = send', 'y'])
    expect(await terminal.answer('i')).toEqual({ action: 'submit', input: { city: 'Bonn', pin: ':more' } })
    expect(asked).toEqual(['i', 'i'])
  })

  test('a question that allows no more time offers none, and takes the line as an answer', async () => {
    const expiresAt = new Date(Date.now() + 290_000).toISOString()
    const terminal = openTerminal([form('i', [{ id: 'city', type: 'text', label: 'City' }], { expiresAt })])
    await expect.poll(terminal.shown).toContain('Answer within 5 minutes\nCity')
    await terminal.type(['>', ':more'], ['[y = send', 'y'])
    expect(await terminal.answer('i')).toEqual({ action: 'submit', input: { city: ':more' } })
  })

  test('a question without an answer at its deadline is still answered in the terminal, if its tool has continued', async () => {
    const terminal = openTerminal([question('i', { answerableLater: true })])
    await expect.poll(terminal.shown).toContain('[y/n]')
    terminal.peer.emit({ type: 'interaction_updated', interactionId: 'i', deferred: true })
    await terminal.type(['[y/n]', 'y'])
    expect(await terminal.answer('i')).toMatchObject({ action: 'approve' })
  })

  test('a question that was answered elsewhere disappears and the next one appears', async () => {
    const terminal = openTerminal([question('i', {})])
    await expect.poll(terminal.shown).toContain('[y/n]')
    terminal.peer.emit({
      type: 'interaction_response',
      interactionId: 'i',
      toolCallId: 'call-i',
      action: 'deny',
      respondedBy: { clientId: 'phone' },
    })
    await expect.poll(terminal.shown).toContain('answered elsewhere')
    terminal.peer.emit(question('j', {}))
    await terminal.type(['[y/n]', 'y'])
    expect(await terminal.answer('j')).toMatchObject({ action: 'approve' })
  })
})

describe('forms', () => {
  const fields = [
    { id: 'email', type: 'email', label: 'E-mail', required: true, description: 'Where to' },
    { id: 'copies', type: 'integer', label: 'Copies', defaultValue: 1, minimum: 1 },
    {
      id: 'colour',
      type: 'select',
      label: 'Colour',
      options: [
        { value: 'r', label: 'Red' },
        { value: 'b', label: 'Blue' },
      ],
    },
    {
      id: 'tags',
      type: 'multiselect',
      label: 'Tags',
      options: [
        { value: 'x', label: 'X' },
        { value: 'y', label: 'Y' },
      ],
    },
    { id: 'loud', type: 'checkbox', label: 'Loud' },
    { id: 'key', type: 'secret', label: 'Key', minLength: 3 },
  ]

  test('a required checkbox is either checked, or the form is declined', async () => {
    const terms = { id: 'terms', type: 'checkbox', label: 'I agree', required: true, const: true }
    const maybe = { id: 'news', type: 'checkbox', label: 'News', const: true }
    const terminal = openTerminal([form('yes', [terms, maybe])])
    await terminal.type(['(y, or n to decline) > ', 'y'], ['(y/n) > ', 'n'], ['n = decline] ', 'y'])
    expect(await terminal.answer('yes')).toEqual({ action: 'submit', input: { terms: true } })
    const other = openTerminal([form('no', [maybe, terms], { initialValues: { terms: false } })])
    await other.type(['(y/n) > ', 'n'], ['(y, or n to decline) > ', ''], ['must be ticked', ''], ['> ', 'n'])
    expect(await other.answer('no')).toEqual({ action: 'decline' })
  })

  test('a user without a value for a required field can decline there', async () => {
    const key = { id: 'key', type: 'secret', label: 'Key', required: true }
    const terminal = openTerminal([form('one', [key]), form('two', [key])])
    await terminal.type(['Key (required)', ''], ['n = decline] ', ''], ['> ', 'abc'], ['[y = send', 'y'])
    expect(await terminal.answer('one')).toEqual({ action: 'submit', input: { key: 'abc' } })
    await terminal.type(['Key (required)', ''], ['n = decline] ', 'n'])
    expect(await terminal.answer('two')).toEqual({ action: 'decline' })
  })

  test('a form validates each field when it is typed, selects options by number, and accepts defaults with Enter', async () => {
    const terminal = openTerminal([form('i', fields)])
    await terminal.type(
      ['> ', 'ada'],
      ['such as', 'ada@example.com'],
      ['[1] > ', ''],
      ['Blue', '2'],
      ['Y\n', '1, 2'],
      ['(y/n) > ', 'y'],
    )
    await terminal.type(['Key', 'hu'], ['3 or more', 'hunter2'], ['[y = send', 'y'])
    expect(await terminal.answer('i')).toEqual({
      action: 'submit',
      input: { email: 'ada@example.com', copies: 1, colour: 'b', tags: ['x', 'y'], loud: true, key: 'hunter2' },
    })
  })

  test('edit keeps the typed values except secrets, and decline is a separate answer', async () => {
    const terminal = openTerminal([form('i', [fields[1]!, fields[5]!])])
    await terminal.type(
      ['> ', '5'],
      ['Key', 'secret1'],
      ['[y = send', 'e'],
      ['[5] > ', ''],
      ['Key', ''],
      ['[y = send', 'n'],
    )
    expect(await terminal.answer('i')).toEqual({ action: 'decline' })
    expect(terminal.shown()).not.toContain('secret1')
  })

  test('a rejected form is asked again with its errors and the typed values', async () => {
    let refused = false
    const terminal = openTerminal([form('i', [fields[1]!])], {
      onMessage(message) {
        if (message.type !== 'tool_interaction_response' || refused) return undefined
        refused = true
        const error = { code: 'invalid_input', message: 'Not so many.', fieldErrors: { copies: ['At most 3.'] } }
        return { status: 422, body: { error } }
      },
    })
    await terminal.type(['[1] > ', '9'], ['[y = send', 'y'], ['At most 3.', '2'], ['[y = send', 'y'])
    expect(await terminal.answer('i')).toEqual({ action: 'submit', input: { copies: 2 } })
  })

  test('an answer that was not sent is kept and sent again', async () => {
    let broken = true
    const terminal = openTerminal([question('i', {})], {
      onMessage: (message) =>
        message.type === 'tool_interaction_response' && broken
          ? { status: 500, body: { error: { code: 'internal', message: 'x' } } }
          : undefined,
    })
    await terminal.type(['[y/n]', 'y'])
    await expect.poll(terminal.shown, { timeout: 20_000 }).toContain('Not sent')
    broken = false
    await terminal.type(['try again', ''])
    expect(await terminal.answer('i')).toMatchObject({ action: 'approve' })
  }, 30_000)

  test('a required file cannot come from a terminal, so the form is declined with the reason', async () => {
    const terminal = openTerminal([form('i', [{ id: 'f', type: 'file', label: 'Plan', required: true }])])
    expect(await terminal.answer('i')).toMatchObject({ action: 'decline', reason: expect.stringContaining('terminal') })
  })
})

describe('connecting accounts', () => {
  const needed: HoldpointEvent = {
    type: 'auth_needed',
    interactionId: 'i',
    toolCallId: 'c',
    toolName: 'summary',
    runId: 'run-1',
    generationId: 'run-1',
    conversationId: 's',
    integrations: ['slack'],
    causes: { slack: 'expired' },
    reason: 'to post',
    expiresAt: '2099-01-01T00:00:00.000Z',
  }
  const calls = () => {
    const heard: string[] = []
    const patch = {
      connectAccount: async () => ({ flowId: 'f', url: 'https://slack.example/authorize' }),
      submitAuthResult: async (run: string, integration: string) => void heard.push(`look ${run} ${integration}`),
      cancelRun: async (run: string) => void heard.push(`cancel ${run}`),
    }
    return { heard, patch }
  }

  test('connecting shows the address, opens it, asks the server to check, and waits for its result', async () => {
    const { heard, patch } = calls()
    const terminal = openTerminal([needed], {}, patch)
    await expect.poll(terminal.shown).toContain('at slack.example')
    expect(terminal.shown()).toContain('Connect Slack again')
    await terminal.type(['[Enter when done', ''])
    await expect.poll(() => heard).toEqual(['look run-1 slack'])
    expect(terminal.urls).toEqual(['https://slack.example/authorize'])
    terminal.peer.emit(
      { type: 'auth_result', interactionId: 'i', success: true, integrations: ['slack'] },
      question('j', {}),
    )
    await terminal.type(['[y/n]', 'y'])
    expect(await terminal.answer('j')).toMatchObject({ action: 'approve' })
  })

  test('declining a request for accounts cancels the run', async () => {
    const { heard, patch } = calls()
    const terminal = openTerminal([needed], {}, patch)
    await terminal.type(['[Enter when done', 'n'])
    await expect.poll(() => heard).toEqual(['cancel run-1'])
  })
})
