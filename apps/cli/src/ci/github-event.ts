import { readFileSync, statSync } from 'node:fs'

/** The pull request of a GitHub event, and of the events of Gitea and Forgejo, which have the same form. */
export interface PullRequestEvent {
  number: number | undefined
  /** The last commit of the branch that is to be merged; `GITHUB_SHA` is a merge commit or the base. */
  head: string | undefined
  /** The tip of the branch that is merged into. */
  base: string | undefined
  /** Whether the branch comes from another repository, whose jobs get a token that may only read. */
  isFork: boolean
}

/** The most bytes of an event; GitHub sends less than a megabyte. */
const maxBytes = 25 * 2 ** 20

/** Reads the file that `GITHUB_EVENT_PATH` names; undefined without a pull request, or if it cannot be read. */
export function readPullRequestEvent(path: string | undefined): PullRequestEvent | undefined {
  if (path === undefined || path === '') return undefined
  try {
    if (statSync(path).size > maxBytes) return undefined
    const event: unknown = JSON.parse(readFileSync(path, 'utf8'))
    const request = toField(event, 'pull_request')
    if (request === undefined) return undefined
    const [head, base] = [toField(request, 'head'), toField(request, 'base')]
    const number = toField(request, 'number')
    return {
      number: typeof number === 'number' ? number : undefined,
      head: toText(toField(head, 'sha')),
      base: toText(toField(base, 'sha')),
      isFork:
        toText(toField(toField(head, 'repo'), 'full_name')) !== toText(toField(toField(base, 'repo'), 'full_name')),
    }
  } catch {
    return undefined
  }
}

function toField(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null
    ? Object.entries(value).find(([key]) => key === name)?.[1]
    : undefined
}

function toText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}
