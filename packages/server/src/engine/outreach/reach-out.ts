import type { DeliveryKernel } from '../delivery/delivery-kernel.ts'
import type { SurfaceDelivery } from '../state/rows.ts'
import { makeMessage } from './make-message.ts'
import { planQuestion } from './plan-question.ts'
import { takeStep } from './take-step.ts'
import { updateMessages } from './update-messages.ts'

/** Makes a delivery to the surfaces of this process. */
export async function reachOut(kernel: DeliveryKernel, row: SurfaceDelivery): Promise<unknown> {
  const { outreach } = kernel
  if (!outreach) throw new Error('A delivery to a surface was started in a process without surfaces.')
  switch (row.type) {
    case 'surface_plan':
      return await planQuestion(kernel, outreach, row)
    case 'surface_step':
      return await takeStep(kernel, outreach, row)
    case 'surface_message':
      return await makeMessage(kernel, outreach, row)
    case 'surface_settled':
      return await updateMessages(kernel, row)
  }
}
