import {
  type Fields,
  flag,
  id,
  isObject,
  list,
  maybe,
  number,
  object,
  record,
  text,
  texts,
  time,
} from '../../json/guards.ts'

// Created once, because a replay of thousands of events uses them.
const options = /* @__PURE__ */ list(/* @__PURE__ */ object((it) => text(it.value) && text(it.label)))
const fields = /* @__PURE__ */ list(
  /* @__PURE__ */ object(
    (it) => text(it.type) && id(it.id) && text(it.label) && maybe(it.options, options) && maybe(it.accept, texts),
  ),
)
const form = /* @__PURE__ */ object((it) => text(it.type) && fields(it.fields))
const hunks = /* @__PURE__ */ list(/* @__PURE__ */ object((it) => text(it.id) && texts(it.lines)))
const files = /* @__PURE__ */ list(/* @__PURE__ */ object((it) => text(it.path) && hunks(it.hunks)))
const facts = /* @__PURE__ */ list(/* @__PURE__ */ object((it) => text(it.label) && maybe(it.value, text)))
const textLists = /* @__PURE__ */ record(texts)
const failure = /* @__PURE__ */ object((it) => text(it.code) && text(it.message))
const named = /* @__PURE__ */ object((it) => text(it.name))
const client = /* @__PURE__ */ object((it) => text(it.clientId))

const known = (it: Fields) => text(it.timestamp) && id(it.sessionId) && maybe(it.runId, id)
const called = (it: Fields) => id(it.toolCallId) && text(it.toolName)
const asked = (it: Fields) => id(it.interactionId)

/**
 * Returns whether a value can be handled as an event. Of known types only the fields that clients use are checked, and
 * of unknown types none. The most frequent types come first.
 */
export function isEvent(it: unknown): boolean {
  if (!isObject(it)) return false
  const { type } = it
  if (typeof type !== 'string' || type === '' || type.length > 256) return false
  switch (type) {
    case 'content':
    case 'system_message':
      return known(it) && text(it.text)
    case 'tool_call_update':
      return known(it) && id(it.toolCallId) && maybe(it.logs, texts) && maybe(it.status, text)
    case 'tool_call_start':
      return known(it) && called(it)
    case 'tool_call_complete':
      return known(it) && called(it) && text(it.status) && maybe(it.error, failure)
    case 'run_status':
      return known(it) && id(it.runId) && text(it.status) && maybe(it.reason, text)
    case 'interaction_request':
      return (
        known(it) &&
        called(it) &&
        asked(it) &&
        text(it.interactionType) &&
        number(it.timeoutMs) &&
        time(it.expiresAt) &&
        number(it.attempt) &&
        maybe(it.prompt, text) &&
        maybe(it.requester, named) &&
        maybe(it.approvalScopes, texts) &&
        maybe(it.approvalLabel, text) &&
        maybe(it.audience, texts) &&
        maybe(it.extendable, flag) &&
        maybe(it.answerableLater, flag) &&
        maybe(it.labels, isObject) &&
        maybe(it.editable, flag) &&
        maybe(it.coveredBy, text) &&
        maybe(it.argsSchema, form) &&
        maybe(it.diff, files) &&
        maybe(it.risk, text) &&
        maybe(it.facts, facts) &&
        maybe(it.lang, text) &&
        maybe(it.inputSchema, form) &&
        maybe(it.initialValues, isObject) &&
        maybe(it.error, text) &&
        maybe(it.fieldErrors, textLists) &&
        maybe(it.presentation, text) &&
        maybe(it.completedView, isObject) &&
        maybe(it.replaces, id)
      )
    case 'interaction_response':
      return (
        known(it) &&
        asked(it) &&
        text(it.toolCallId) &&
        text(it.action) &&
        client(it.respondedBy) &&
        maybe(it.approvalScope, text) &&
        maybe(it.input, isObject) &&
        maybe(it.diffDecisions, isObject) &&
        maybe(it.late, flag) &&
        maybe(it.coveredBy, text) &&
        maybe(it.reason, text)
      )
    case 'interaction_updated':
      return known(it) && asked(it) && maybe(it.expiresAt, time) && maybe(it.deferred, flag)
    case 'interaction_closed':
      return known(it) && asked(it) && text(it.reason) && maybe(it.message, text)
    case 'auth_needed':
      return (
        known(it) &&
        called(it) &&
        asked(it) &&
        id(it.generationId) &&
        id(it.conversationId) &&
        texts(it.integrations) &&
        time(it.expiresAt) &&
        maybe(it.connected, texts) &&
        maybe(it.scopes, textLists) &&
        maybe(it.causes, isObject) &&
        maybe(it.reason, text)
      )
    case 'auth_progress':
      return known(it) && asked(it) && text(it.connected) && texts(it.remaining)
    case 'auth_result':
      return known(it) && asked(it) && flag(it.success) && texts(it.integrations) && maybe(it.reason, text)
    case 'user_message':
      return known(it) && text(it.text) && maybe(it.interactionId, id)
    case 'user_action':
      return (
        known(it) &&
        id(it.actionId) &&
        text(it.event) &&
        text(it.message) &&
        maybe(it.toolName, text) &&
        maybe(it.toolCallId, id)
      )
    case 'paused':
      return known(it) && maybe(it.reason, text)
    case 'done':
      return known(it)
  }
  return true
}
