import { Mastra } from '@mastra/core/mastra'
import { createStep, createWorkflow } from '@mastra/core/workflows'
import { z } from 'zod'
import { versionOf } from '../../support/report.ts'
import { type MastraKept, mastraStorage } from './mastra-storage.ts'
import { FILES, type ResumePeer } from './peer.ts'

/**
 * "Suspend and resume" of Mastra's workflows: a step suspends until it has `resumeData`, the next one acts. There is no
 * model in it. Who resumes is claimed in the storage. With two nodes, tabs take turns between two instances over one
 * file.
 */
export function mastraWorkflowPeer(kept: MastraKept, nodes = 1): ResumePeer {
  const storage = mastraStorage(kept, nodes)
  const effects = new Map<string, () => void>()
  const shape = z.object({ question: z.string(), files: z.array(z.string()) })
  const workflows = Array.from({ length: nodes }, (_, n) => {
    const approval = createStep({
      id: 'approval',
      inputSchema: shape,
      resumeSchema: z.object({ approved: z.boolean() }),
      outputSchema: shape,
      execute: async ({ inputData, resumeData, suspend }) => {
        if (!resumeData?.approved) return await suspend({})
        return inputData
      },
    })
    const act = createStep({
      id: 'act',
      inputSchema: shape,
      outputSchema: z.object({ deleted: z.number() }),
      execute: async ({ inputData: { question, files } }) => {
        effects.get(question)?.()
        return { deleted: files.length }
      },
    })
    const clean = createWorkflow({ id: 'clean', inputSchema: shape, outputSchema: z.object({ deleted: z.number() }) })
      .then(approval)
      .then(act)
      .commit()
    return new Mastra({ workflows: { clean }, storage: storage.make(`storage-${n}`), logger: false }).getWorkflow(
      'clean',
    )
  })
  return {
    name: '@mastra/core workflow',
    version: versionOf('@mastra/core'),
    store: storage.store,
    async ask(effect) {
      const question = crypto.randomUUID()
      effects.set(question, effect)
      const run = await workflows[0]!.createRun()
      const { status } = await run.start({ inputData: { question, files: FILES } })
      if (status !== 'suspended') throw new Error(`Mastra did not suspend: ${status}`)
      return async (tab) => {
        const resumed = nodes === 1 ? run : await workflows[tab % nodes]!.createRun({ runId: run.runId })
        return await resumed.resume({ step: 'approval', resumeData: { approved: true } })
      }
    },
    close: storage.close,
  }
}
