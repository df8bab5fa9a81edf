import type { BuildFacts } from '@fairlead/contract'
import type { ApplicationRow } from '../applications/application.ts'
import type { BuildRecord } from '../builds/build.ts'
import { listBuildsById } from '../builds/find.ts'
import { findPreviousSize } from '../builds/previous.ts'
import { readCommitState } from '../commits/build-commits.ts'
import type { AppContext } from '../context.ts'
import { countCrashesOfBuilds } from '../crash-releases/build-counts.ts'
import { listBuildResults } from '../test-verdicts/describe-verdict.ts'

/** Finds out what is known of builds, newest first. Builds of other applications are left out. */
export async function listBuildFacts(
  { db }: Pick<AppContext, 'db'>,
  application: ApplicationRow,
  ids: number[],
): Promise<BuildFacts[]> {
  const found = await listBuildsById({ db }, [...new Set(ids)])
  const builds = found.filter(({ application_id: id }) => id === application.id)
  const results = await listBuildResults(db, builds)
  const crashes = await countCrashesOfBuilds(
    db,
    builds.map(({ id }) => id),
  )
  const facts: BuildFacts[] = []
  for (const build of builds) {
    facts.push({
      buildId: build.id,
      verdict: results.get(build.id) ?? null,
      crashCount: crashes.get(build.id) ?? 0,
      ...(await compareSize({ db }, build)),
    })
  }
  return facts
}

async function compareSize({ db }: Pick<AppContext, 'db'>, build: BuildRecord) {
  const { base } = await readCommitState(db, build.id)
  const previous = await findPreviousSize(db, build, base)
  return { previousBuildId: previous?.id ?? null, sizeChange: previous ? build.size - previous.size : null }
}
