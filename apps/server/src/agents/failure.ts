import { randomUUID } from 'node:crypto'
import { type ErrorCode, errorTable } from '@fairlead/contract'
import type { Logger } from 'pino'
import { toApiError } from '../http/errors.ts'
import { AgentError, type AgentErrorCode } from './agent-error.ts'
import { type Sentence, sentence } from './trusted.ts'

/** The facts about a failed call that the agent gets. */
export interface Failure {
  code: string
  detail: string
  next: string
  retryAfterSeconds?: number
}

/** The advice after a refusal that has none of its own. */
const nextOf: Partial<Record<ErrorCode | AgentErrorCode, Sentence>> = {
  aliasNotFound: sentence`Call list_applications for the aliases that this token sees.`,
  applicationNotFound: sentence`Call list_applications for the applications that this token sees.`,
  buildNotFound: sentence`Call list_builds with the alias of the application; ids are of this server only.`,
  crashGroupNotFound: sentence`Call list_crashes with the alias of the application; ids are of this server only.`,
  crashNotFound: sentence`Call list_crashes, then explain_crash with a crashGroupId, which names a crash.`,
  testNotFound: sentence`Call list_tests with the alias of the application and a state.`,
  testRunNotFound: sentence`Call get_test_run with the buildId of a build that has test reports.`,
  testFailureNotFound: sentence`Call get_test_run; its failures have failureIds.`,
  textNotFound: sentence`Take the ref from \`more\` of a fresh answer; the thing may have been deleted.`,
  invalidCursor: sentence`Call the tool again without cursor, with the same other arguments.`,
  invalidInput: sentence`Read the description of the tool and correct the arguments.`,
  rateLimited: sentence`Wait for retryAfterSeconds, then call again; make fewer calls at once.`,
  unreadableReport: sentence`Pass the whole report as text: an Android trace, an .ips or a .crash.`,
  forbidden: sentence`A person with the role admin must make a token with a higher role.`,
  writesOff: sentence`A person with the role admin must turn on agentWrites in the settings of the workspace.`,
  overloaded: sentence`The server has much to do: call again in some seconds.`,
  tooManyRequests: sentence`Wait some seconds, then call again.`,
  notReady: sentence`The server cannot reach its database or its store: call again in some seconds.`,
}
const otherwise = sentence`Check the arguments, and call list_applications to begin again.`
const afterInternal = sentence`Call again once; if it fails again, give the error id to who runs the server.`

const longestDetail = 1000

/** Turns what a tool has thrown into what the agent is told. Only faults of the server are logged. */
export function toFailure(log: Logger, tool: string, thrown: unknown): Failure {
  if (thrown instanceof AgentError) {
    const { code, message, next, retryAfterSeconds } = thrown
    const wait = retryAfterSeconds !== undefined && { retryAfterSeconds }
    return { code, detail: message, next: next ?? nextOf[code] ?? otherwise, ...wait }
  }
  const error = toApiError(thrown)
  const { code } = error
  if (code === 'internal') {
    const errorId = randomUUID()
    log.error({ errorId, tool, err: error.cause ?? thrown }, 'a call of a tool failed')
    return { code, detail: `${errorTable.internal.detail} (error ${errorId})`, next: afterInternal }
  }
  if (error.faults?.some(({ source }) => source === 'cursor') === true) {
    return toFailure(log, tool, new AgentError('invalidCursor'))
  }
  // The faults are those of verbs, whose words are of the code. Other details may hold stored text.
  const faults = (error.faults ?? []).map(({ source, detail }) => `${source} ${detail}`)
  const detail = [code === 'forbidden' ? error.message : errorTable[code].detail, ...faults].join('; ')
  const isInput = code === 'invalidRequest' || code === 'nulCharacter'
  return {
    code: isInput ? 'invalidInput' : code,
    detail: detail.slice(0, longestDetail),
    next: nextOf[isInput ? 'invalidInput' : code] ?? otherwise,
  }
}
