import type { Chapter } from './line.ts'
import { accounts } from './lines/accounts.ts'
import { agents } from './lines/agents.ts'
import { answerPage } from './lines/answer-page.ts'
import { components } from './lines/components.ts'
import { faults } from './lines/faults.ts'
import { mcp } from './lines/mcp.ts'
import { network } from './lines/network.ts'
import { threats } from './lines/threats.ts'

/** Everything that SECURITY.md claims, with its evidence. */
export const chapters: readonly Chapter[] = [threats, network, accounts, answerPage, mcp, agents, components, faults]
