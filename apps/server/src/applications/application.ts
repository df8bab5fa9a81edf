import type { Application } from '@fairlead/contract'
import type { Row } from '../db/schema.ts'
import { toInstant } from '../http/instant.ts'
import { toIconUrl } from '../links/install-url.ts'

export type ApplicationRow = Row<'applications'>

/** An application row with the columns of its newest build that lists show. */
export interface ApplicationRecord extends ApplicationRow {
  latest_id: number | null
  latest_short_version: string | null
  latest_version: string | null
  latest_uploaded_at: number | null
  latest_secret: string | null
  latest_icon_blob_id: number | null
}

export function toApplication(record: ApplicationRecord, baseUrl: string): Application {
  return {
    id: record.id,
    alias: record.alias,
    name: record.name,
    platform: record.platform,
    bundleIdentifier: record.bundle_identifier,
    iconUrl: toLatestIconUrl(record, baseUrl),
    createdDate: toInstant(record.created_at),
    defaultBranch: record.default_branch,
    commitUrl: record.commit_url,
    linkedApplicationId: record.linked_application_id,
    keepsCustomData: record.keeps_custom_data === 1,
    buildCount: record.build_count,
    latestBuild: toLatestBuild(record),
  }
}

function toLatestIconUrl(record: ApplicationRecord, baseUrl: string): string | null {
  const { latest_icon_blob_id, latest_secret } = record
  return latest_icon_blob_id === null || latest_secret === null ? null : toIconUrl({ secret: latest_secret }, baseUrl)
}

function toLatestBuild(record: ApplicationRecord): Application['latestBuild'] {
  const { latest_id, latest_short_version, latest_version, latest_uploaded_at } = record
  if (latest_id === null || latest_short_version === null || latest_version === null || latest_uploaded_at === null) {
    return null
  }
  return {
    id: latest_id,
    shortVersion: latest_short_version,
    version: latest_version,
    uploadedDate: toInstant(latest_uploaded_at),
  }
}
