import type { LatestLink } from '@fairlead/contract'
import type { BuildRecord } from '../builds/build.ts'
import { type LatestScope, listLatestBuilds } from '../builds/latest.ts'
import type { AppContext } from '../context.ts'
import type { Row } from '../db/schema.ts'
import { toInstant } from '../http/instant.ts'
import { toLatestUrl } from '../links/latest-url.ts'

/** A row of a latest link with the names that it shows. */
export interface LatestLinkRecord extends Row<'latest_links'> {
  application_name: string
  group_name: string | null
}

export function toLatestScope(
  link: Pick<LatestLinkRecord, 'application_id' | 'group_id' | 'branch' | 'follows'>,
): LatestScope {
  return { applicationId: link.application_id, groupId: link.group_id, branch: link.branch, follows: link.follows }
}

/** Describes a link with the build that it shows now, or would show if it were not revoked and had not expired. */
export async function describeLatestLink(
  context: Pick<AppContext, 'db' | 'config'>,
  link: LatestLinkRecord,
): Promise<LatestLink> {
  const [build] = await listLatestBuilds(context, toLatestScope(link), 1)
  return {
    id: link.id,
    applicationId: link.application_id,
    name: link.name,
    url: toLatestUrl(link, context.config.baseUrl),
    distributionGroup:
      link.group_id === null || link.group_name === null ? null : { id: link.group_id, name: link.group_name },
    branch: link.branch,
    follows: link.follows,
    showsOlder: link.shows_older === 1,
    hasPassword: link.link_password_hash !== null,
    isRevoked: link.link_revoked_at !== null,
    expirationDate: link.expires_at === null ? null : toInstant(link.expires_at),
    build: build ? toServedBuild(build) : null,
    createdDate: toInstant(link.created_at),
    createdBy: link.created_by,
  }
}

function toServedBuild(build: BuildRecord): LatestLink['build'] {
  return {
    id: build.id,
    shortVersion: build.short_version,
    version: build.version,
    uploadedDate: toInstant(build.uploaded_at),
  }
}
