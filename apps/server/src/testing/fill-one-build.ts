import { randomUUID } from 'node:crypto'
import type { Db } from '../db/open.ts'
import { toJsonText } from '../db/json-text.ts'
import type { BuildDetails } from '../db/schema/build-details.ts'

/** Inserts the rows of a workspace with one application, one build and one group. */
export async function fillOneBuild(db: Db): Promise<{ applicationId: number; buildId: number; groupId: number }> {
  const name = randomUUID()
  const insert = async (id: Promise<{ id: number }>) => (await id).id
  const workspace_id = await insert(
    db
      .insertInto('workspaces')
      .values({ name, link_lifetime_ms: 1, created_at: 1 })
      .returning('id')
      .executeTakeFirstOrThrow(),
  )
  const applicationId = await insert(
    db
      .insertInto('applications')
      .values({ workspace_id, alias: name, name, platform: 'android', created_at: 1 })
      .returning('id')
      .executeTakeFirstOrThrow(),
  )
  const blob_id = await insert(
    db
      .insertInto('blobs')
      .values({ sha256: name, key: name, size: 1, reference_count: 1, created_at: 1 })
      .returning('id')
      .executeTakeFirstOrThrow(),
  )
  const details = toJsonText<BuildDetails>({
    signing: null,
    permissions: [],
    architectures: [],
    debuggable: false,
    warnings: [],
  })
  const buildId = await insert(
    db
      .insertInto('builds')
      .values({
        workspace_id,
        application_id: applicationId,
        number: 1,
        blob_id,
        size: 1,
        secret: name,
        short_version: '1',
        version: '1',
        bundle_identifier: 'com.example',
        name,
        file_name: 'app.apk',
        details,
        uploaded_by: 'ci',
        uploaded_at: 1,
        expires_at: 2,
      })
      .returning('id')
      .executeTakeFirstOrThrow(),
  )
  const groupId = await insert(
    db
      .insertInto('distribution_groups')
      .values({ workspace_id, name, name_key: name, created_at: 1 })
      .returning('id')
      .executeTakeFirstOrThrow(),
  )
  return { applicationId, buildId, groupId }
}
