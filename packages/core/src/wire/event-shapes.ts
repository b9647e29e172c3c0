import { type Check, compile, type Fault, type Fields } from './guards.ts'

const CALL = ' toolCallId:id toolName'
const ASKED = ' interactionId:id'

/** What is looked at of each known type, in the words of `compile`: only what clients rely on. */
const shapes: ReadonlyMap<unknown, Check> = /* @__PURE__ */ (() => {
  const events: Record<string, string> = {
    content: ' text',
    system_message: ' text',
    tool_call_start: CALL,
    tool_call_update: ' toolCallId:id logs?:text[] status?',
    tool_call_complete: `${CALL} status error?:failure`,
    run_status: ' runId:id status reason?',
    interaction_request:
      `${CALL + ASKED} interactionType timeoutMs:number expiresAt:time attempt:number prompt? requester?:named ` +
      'approvalScopes?:text[] audience?:text[] extendable?:flag labels?:object editable?:flag argsSchema?:form ' +
      'diff?:file[] risk? inputSchema?:form initialValues?:object error? fieldErrors?:text[]{} presentation? ' +
      'completedView?:object replaces?:id',
    interaction_response: `${ASKED} toolCallId:id action respondedBy:client approvalScope? input?:object diffDecisions?:object late?:flag reason?`,
    interaction_updated: `${ASKED} expiresAt?:time deferred?:flag`,
    interaction_closed: `${ASKED} reason message?`,
    auth_needed: `${CALL + ASKED} generationId:id conversationId:id integrations:text[] expiresAt:time connected?:text[] scopes?:text[]{} causes?:object reason?`,
    auth_progress: `${ASKED} connected remaining:text[]`,
    auth_result: `${ASKED} success:flag integrations:text[] reason?`,
    user_message: ' text interactionId?:id',
    paused: ' reason?',
    done: '',
  }
  const parts = {
    failure: 'code message',
    named: 'name',
    client: 'clientId',
    option: 'value label',
    field: 'type id:id label options?:option[] accept?:text[]',
    form: 'type fields:field[]',
    hunk: 'id lines:text[]',
    file: 'path hunks:hunk[]',
  }
  // Once for each type, when the module is loaded: a replay of thousands goes through here.
  return new Map(
    Object.entries(events).map(([type, own]) => [type, compile(`timestamp sessionId:id runId?:id${own}`, parts)]),
  )
})()

/** The path of what is wrong with an event of a known type; nothing is wrong with unknown ones. */
export const knownFault = (event: Fields): Fault => shapes.get(event.type)?.(event, '')
