import type { Sentence } from './trusted.ts'

/** The codes of refusals that only tools make. Every other refusal has a code of the API. */
const agentErrors = {
  invalidInput: 'The arguments do not fit together',
  invalidCursor: 'The cursor is none that this list gave',
  textNotFound: 'There is no text at this place',
  rateLimited: 'This token or its workspace makes too many calls',
  testRunNotFound: 'No test report of this build has come',
  forbidden: 'The role of this token does not allow it',
  writesOff: 'Agents may not write in this workspace',
} as const

export type AgentErrorCode = keyof typeof agentErrors

/** A refusal of a call. Its words are of the code and repeat neither an argument nor a stored text. */
export class AgentError extends Error {
  readonly code: AgentErrorCode
  readonly next: Sentence | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(code: AgentErrorCode, options: { next?: Sentence; retryAfterSeconds?: number } = {}) {
    super(agentErrors[code])
    this.code = code
    this.next = options.next
    this.retryAfterSeconds = options.retryAfterSeconds
  }
}
