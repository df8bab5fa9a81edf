/**
 * Runs before the rest of the dashboard has arrived, and asks the server for what the first page will show. On a slow
 * network the answers are there by the time the scripts are.
 */
import { askEarly } from './early/early-answers.ts'
import {
  applicationRequest,
  applicationsRequest,
  buildRequest,
  buildsRequest,
  groupsRequest,
  readBuildsSearch,
  sessionRequest,
} from './early/requests.ts'

interface EarlyRequest {
  key: readonly unknown[]
  ask: () => Promise<unknown>
}

for (const { key, ask } of listEarlyRequests(location.pathname, location.search)) askEarly(key, ask)

function listEarlyRequests(pathname: string, search: string): EarlyRequest[] {
  if (/^\/(setup|sign-in|forgot-password|reset|invitation)$/.test(pathname)) return []
  if (/^\/(applications\/?)?$/.test(pathname)) return [sessionRequest, applicationsRequest]
  const application = /^\/applications\/([1-9]\d{0,14})\/?$/.exec(pathname)?.[1]
  if (application !== undefined) {
    const id = Number(application)
    const filters = readBuildsSearch(readSearch(search))
    return [sessionRequest, applicationRequest(id), buildsRequest(id, filters), groupsRequest]
  }
  const build = /^\/builds\/([1-9]\d{0,14})\/?$/.exec(pathname)?.[1]
  return build === undefined ? [sessionRequest] : [sessionRequest, buildRequest(Number(build))]
}

/** The router writes text that could be read as JSON, such as a number, in quotes. */
function readSearch(search: string): Record<string, string> {
  return Object.fromEntries([...new URLSearchParams(search)].map(([name, value]) => [name, unquote(value)]))
}

function unquote(value: string): string {
  return /^".*"$/s.test(value) ? value.slice(1, -1) : value
}
