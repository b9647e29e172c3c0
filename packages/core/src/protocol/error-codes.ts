import type { ErrorCode } from './error-status.ts'

/** Asking and waiting. */
type AskingErrorCode =
  | 'interaction_refused'
  | 'interaction_unavailable'
  | 'interaction_waiting'
  | 'invalid_request'
  | 'invalid_fields'
  | 'unsupported_schema'
  | 'invalid_outcome'
  | 'handler_failed'
  | 'key_required'
  | 'call_begun'
  | 'call_finished'
  | 'call_mismatch'
  | 'reprompt_limit'
  | 'recorded_input_invalid'
  | 'question_gone'
  | 'corrupt_question'
  | 'ownership_lost'
  | 'not_recordable'
  | 'prompt_too_large'
  | 'too_many_fields'
  | 'request_too_large'

/** Tools and sessions. */
type ToolErrorCode =
  | 'tool_failed'
  | 'invalid_tool_input'
  | 'unknown_mode'
  | 'suspend_needs_store'
  | 'suspend_needs_tool'
  | 'unknown_secret'
  | 'unknown_upload'
  | 'upload_not_supported'
  | 'run_cancelled'
  | 'turn_superseded'
  | 'session_owner_mismatch'
  | 'invalid_event'
  | 'reserved_event'
  | 'event_too_large'

/** Set-up. */
type SetupErrorCode =
  | 'invalid_options'
  | 'invalid_id'
  | 'store_required'
  | 'memory_store_not_shared'
  | 'not_a_request'
  | 'not_a_holdpoint'
  | 'vault_keys_missing'
  | 'invalid_vault_keys'
  | 'vault_key_unknown'
  | 'vault_mismatch'
  | 'weak_secret'
  | 'development_only'
  | 'accounts_not_configured'
  | 'no_client'
  | 'no_card'

/** Stores. */
type StoreErrorCode =
  | 'store_busy'
  | 'store_contention'
  | 'store_contended'
  | 'store_closed'
  | 'store_full'
  | 'store_readonly'
  | 'store_corrupt'
  | 'store_damaged'
  | 'store_newer'
  | 'store_pool_exhausted'
  | 'store_invalid'
  | 'sqlite_readonly_fs'
  | 'row_damaged'
  | 'row_newer'

/** Client and transports. */
type ClientErrorCode =
  | 'network'
  | 'timeout'
  | 'protocol'
  | 'client_closed'
  | 'malformed_event'
  | 'malformed_frame'
  | 'malformed_snapshot'
  | 'unsafe_frame'
  | 'interaction_not_known'
  | 'answer_needs_card'
  | 'interrupted'
  | 'terminal_closed'

/** AI SDK bridge. */
type BridgeErrorCode = 'approval_not_asked' | 'run_id_required' | 'tool_not_wrapped'

/** Accounts and tokens. */
type AccountErrorCode =
  | 'AUTH_REQUIRED'
  | 'account_missing'
  | 'account_expired'
  | 'account_scopes'
  | 'auth_still_required'
  | 'wrong_account'
  | 'unknown_integration'
  | 'invalid_provider'
  | 'cannot_sign_in'
  | 'device_flow_unsupported'
  | 'oauth_failed'
  | 'connect_denied'
  | 'connect_expired'
  | 'connect_failed'
  | 'ask_failed'
  | 'not_known'
  | 'not_reachable'
  | 'request_refused'
  | 'signed_out'
  | 'session_lost'
  | 'session_reset_required'
  | 'refresh_failed'
  | 'refresh_token_expired'
  | 'refresh_token_invalid'
  | 'refresh_token_reused'
  | 'token_expired'
  | 'token_invalid'
  | 'token_revoked'
  | 'unsafe_file'
  | 'bridge_key_missing'
  | 'confirmation_invalid'
  | 'confirmation_expired'
  | 'confirmation_mismatch'
  | 'confirmation_used'

/** Webhooks, remote agents and outbound requests. */
type RemoteErrorCode =
  | 'url_not_allowed'
  | 'unreachable'
  | 'response_too_large'
  | 'invalid_webhook'
  | 'webhook_invalid'
  | 'webhook_expired'
  | 'webhook_busy'
  | 'webhook_signature_invalid'
  | 'webhook_token_invalid'
  | 'webhook_token_missing'
  | 'webhook_unknown_session'
  | 'webhook_url_not_allowed'
  | 'webhook_wrong_session'
  | 'wrong_password'
  | 'agent_busy'
  | 'agent_failed'
  | 'agent_not_configured'
  | 'stream_token_invalid'
  | 'cursor_gone'

/** Testing. */
type TestingErrorCode = 'no_question' | 'no_test_accounts' | 'no_test_clock' | 'invalid_time'

/**
 * Every code that a `HoldpointError` of this version can have. `docs/errors.md` lists each with its cause and its remedy. A
 * newer server may send a code that is not in this union; treat it by its HTTP status.
 */
export type HoldpointErrorCode =
  | ErrorCode
  | AskingErrorCode
  | ToolErrorCode
  | SetupErrorCode
  | StoreErrorCode
  | ClientErrorCode
  | BridgeErrorCode
  | AccountErrorCode
  | RemoteErrorCode
  | TestingErrorCode
