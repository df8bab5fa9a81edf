import type { Tester } from '@fairlead/contract'
import type { AppContext } from '../context.ts'
import type { Row } from '../db/schema.ts'
import type { Caller } from '../http/caller.ts'
import { toInstant } from '../http/instant.ts'
import { toTesterPageUrl } from '../tester-links/page-link.ts'

export interface TesterRecord extends Row<'testers'> {
  groups: { id: number; name: string }[]
  /** Null for a tester who takes mails. */
  unsubscribed_at: number | null
}

/** Returns the mapping of testers to JSON for a caller: viewers get no links, which are permissions. */
export function toTesterFor(
  { config, signingKey }: Pick<AppContext, 'config' | 'signingKey'>,
  { role }: Pick<Caller, 'role'>,
): (record: TesterRecord) => Tester {
  return (record) => ({
    id: record.id,
    email: record.email,
    name: record.name,
    createdDate: toInstant(record.created_at),
    groups: record.groups,
    isUnsubscribed: record.unsubscribed_at !== null,
    pageUrl: role === 'viewer' ? null : toTesterPageUrl(record, config.baseUrl, signingKey),
  })
}
