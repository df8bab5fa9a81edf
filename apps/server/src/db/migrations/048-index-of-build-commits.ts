import { type Kysely, sql } from 'kysely'

/** The build that another one follows, and the build of a run's commit, are found by their commit. */
export async function addIndexOfBuildCommits(db: Kysely<unknown>): Promise<void> {
  await sql`create index builds_by_source_commit on builds (application_id, source_commit, id)
    where trashed_at is null`.execute(db)
}
