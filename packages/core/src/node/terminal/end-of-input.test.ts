import { describe, expect, test } from 'vitest'
import { openTerminal } from './testing/open-terminal.ts'
import { question } from './testing/question.ts'

describe('the end of the input', () => {
  test('at the end of input, or on abort, the function resolves and answers nothing', async () => {
    const piped = openTerminal([question('i', {})])
    await expect.poll(piped.shown).toContain('[y/n]')
    piped.end()
    await piped.done
    const stopped = openTerminal([question('i', {})])
    await expect.poll(stopped.shown).toContain('[y/n]')
    stopped.stop()
    await stopped.done
    for (const { peer } of [piped, stopped])
      expect(peer.log.filter(({ type }) => type === 'interaction_response')).toEqual([])
  })

  test('the function resolves if the input ends between two questions, after all of its lines are used', async () => {
    const terminal = openTerminal([question('i', {})])
    await terminal.type(['[y/n]', 'y'])
    await expect.poll(terminal.shown).toContain('Approved.')
    terminal.end()
    await terminal.done

    const piped = openTerminal([])
    piped.write('y\ny\n')
    piped.end()
    await new Promise((resolve) => setTimeout(resolve, 20))
    for (const id of ['i', 'j']) {
      piped.peer.emit(question(id, {}))
      expect(await piped.answer(id)).toMatchObject({ action: 'approve' })
    }
    await piped.done
  })

  test('an unknown kind of question is named and not answered', async () => {
    const terminal = openTerminal([question('i', { interactionType: 'draw' }), question('j', {})])
    await terminal.type(['[y/n]', 'y'])
    expect(await terminal.answer('j')).toMatchObject({ action: 'approve' })
  })
})
