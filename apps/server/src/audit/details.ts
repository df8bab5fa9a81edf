/**
 * Fields of requests whose values the audit log may contain. Anything else is not recorded, so no secret can get in.
 */
const recorded = [
  'id',
  'name',
  'alias',
  'email',
  'emails',
  'role',
  'platform',
  'bundleIdentifier',
  'shortVersion',
  'version',
  'sha256',
  'branch',
  'follows',
  'distributionGroupId',
  'expirationDate',
  'isRevoked',
  'linkLifetimeDays',
  'retentionDays',
  'isEnabled',
  'candidateCount',
  'trashedCount',
  'restoredCount',
  'keepDistributedDays',
  'quietBranchDays',
  'isTwoFactorRequired',
  'requiredProvider',
  'provider',
  'isDisabled',
  'revokeTokens',
  'agentWrites',
  'feedback',
  'status',
  'distributionGroupNames',
  'distributionGroupIds',
  'notifyTesters',
  'states',
  'testerIds',
  'count',
  'events',
  'format',
  'includes',
  'applicationId',
  'applicationIds',
]
/** Fields whose change is recorded without their content, by action. */
const changed: Record<string, string[]> = {
  'account.update': ['password'],
  'installLink.update': ['password'],
  'latestLink.create': ['password'],
  'latestLink.update': ['password'],
  'build.update': ['releaseNotes'],
}
const textLimit = 300
const itemLimit = 20

type Value = string | number | boolean | null
type Details = Record<string, Value | Value[]>

/** Picks what is worth recording from a request's body or an answer. */
export function toDetails(action: string, body: unknown, answer: unknown): Details {
  const details: Details = {}
  for (const source of [body, answer]) {
    // A body that a process parses is here as its bytes.
    if (typeof source !== 'object' || source === null || ArrayBuffer.isView(source)) continue
    const fields: Record<string, unknown> = { ...source }
    for (const name of recorded) {
      const value = toValue(fields[name])
      if (value !== undefined) details[name] = value
    }
  }
  if (action.startsWith('crashGroup.')) addTitle(details, answer)
  if (action.startsWith('hook.')) addHost(details, body)
  if (action === 'groupRoles.replace') addGroups(details, body)
  for (const name of changed[action] ?? []) {
    if (typeof body === 'object' && body !== null && name in body) details[`${name}Changed`] = true
  }
  return details
}

/** A crash group has no name, so people know it by its title. */
function addTitle(details: Details, answer: unknown): void {
  if (typeof answer !== 'object' || answer === null || !('title' in answer)) return
  const title = toValue(answer.title)
  if (title !== undefined) details['title'] = title
}

/** The address of a chat's hook is a secret, but its host is none. */
function addHost(details: Details, body: unknown): void {
  if (typeof body !== 'object' || body === null || !('url' in body) || typeof body.url !== 'string') return
  const url = URL.parse(body.url)
  if (url) details['url'] = url.host
}

function addGroups(details: Details, body: unknown): void {
  if (!Array.isArray(body)) return
  details['count'] = body.length
  details['groups'] = body.slice(0, itemLimit).map((one: unknown) => {
    const { provider, group, role }: Partial<Record<string, unknown>> = Object(one)
    return `${String(provider)} ${String(group)}: ${String(role)}`.slice(0, textLimit)
  })
}

function toValue(value: unknown): Value | Value[] | undefined {
  if (Array.isArray(value)) {
    return value.slice(0, itemLimit).flatMap((item: unknown) => {
      const one = toValue(item)
      return one === undefined || Array.isArray(one) ? [] : [one]
    })
  }
  if (typeof value === 'string') return value.slice(0, textLimit)
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return value
  return undefined
}
