import type { CrashGroupQuery, CrashGroupStatus } from '@fairlead/contract'

const kinds = ['crash', 'anr', 'hang', 'handled'] as const
const sorts = ['lastSeen', 'crashes', 'installs', 'firstSeen', 'trend'] as const
const texts = ['q', 'version', 'environment', 'device', 'os', 'tag', 'date'] as const

/** The filters and the order of the list of groups, as the URL holds them. Without a status, open groups are listed. */
export type CrashGroupsSearch = {
  status?: CrashGroupStatus | 'all' | undefined
  q?: string | undefined
  /** The id of a build: only crashes of its release are listed. */
  build?: number | undefined
  version?: string | undefined
  kind?: CrashGroupQuery['kind']
  environment?: string | undefined
  device?: string | undefined
  os?: string | undefined
  /** The account of a member, or `none`. */
  assignee?: number | 'none' | undefined
  tag?: string | undefined
  /** A day in UTC: only groups that crashed on it. */
  date?: string | undefined
  sort?: CrashGroupQuery['sort']
}

export function readCrashGroupsSearch(search: Record<string, unknown>): CrashGroupsSearch {
  const { status, build, kind, assignee, sort } = search
  const read = Object.fromEntries(texts.map((name) => [name, toText(search[name])]))
  return {
    ...read,
    status: status === 'resolved' || status === 'ignored' || status === 'all' ? status : undefined,
    build: toId(build),
    kind: kinds.find((one) => one === kind),
    assignee: assignee === 'none' ? 'none' : toId(assignee),
    sort: sorts.find((one) => one === sort && one !== 'lastSeen'),
    tag: read['tag']?.includes(':') ? read['tag'] : undefined,
    date: /^\d{4}-\d\d-\d\d$/.test(read['date'] ?? '') ? read['date'] : undefined,
  }
}

/** Turns the search into the query of the API. */
export function toGroupQuery(search: CrashGroupsSearch): Omit<CrashGroupQuery, 'cursor' | 'limit'> {
  const { build: buildId, assignee: assigneeId, tag, status, ...others } = search
  const isOfRelease = buildId !== undefined
  return {
    ...others,
    buildId,
    assigneeId,
    status: status === 'all' ? undefined : (status ?? (isOfRelease ? undefined : 'open')),
    ...(tag !== undefined && { tag: [tag] }),
  }
}

/** The filters that stand behind the button of filters. */
export function countFilters(search: CrashGroupsSearch): number {
  const { version, kind, environment, device, os, assignee, tag, date } = search
  return [version, kind, environment, device, os, assignee, tag, date].filter((value) => value !== undefined).length
}

/** The router parses numbers, which become text again. */
function toText(value: unknown): string | undefined {
  const text = typeof value === 'number' ? String(value) : value
  return typeof text === 'string' && text !== '' ? text.slice(0, 200) : undefined
}

function toId(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : undefined
}
