import type { ApplicationOverview } from '@fairlead/contract'
import { findNewestBuild } from '../builds/find.ts'
import { findPreviousBuild } from '../builds/previous.ts'
import type { BuildRecord } from '../builds/build.ts'
import { isExpired } from '../builds/build.ts'
import { listBuildSizes } from '../builds/sizes.ts'
import { readCommitState } from '../commits/build-commits.ts'
import type { AppContext } from '../context.ts'
import { describeCrashesOf } from '../crashes/overview.ts'
import { toInstant } from '../http/instant.ts'
import { toInstallUrl } from '../links/install-url.ts'
import { describeTestsOf, summarizeVerdictOf } from '../test-verdicts/overview.ts'

const maxSizes = 20

/** Gathers the overview of an application. Nothing in it is counted by reading all crashes, results or builds. */
export async function describeOverview(
  context: Pick<AppContext, 'db' | 'config'>,
  applicationId: number,
): Promise<ApplicationOverview> {
  const build = await findNewestBuild(context, applicationId)
  const [newestBuild, sizes, crashes, tests] = await Promise.all([
    build ? describeNewestBuild(context, build) : null,
    listBuildSizes(context, applicationId, maxSizes),
    describeCrashesOf(context, applicationId, build),
    describeTestsOf(context, applicationId, Date.now()),
  ])
  return { applicationId, newestBuild, sizes, ...crashes, tests }
}

async function describeNewestBuild(
  context: Pick<AppContext, 'db' | 'config'>,
  build: BuildRecord,
): Promise<ApplicationOverview['newestBuild']> {
  const { base } = await readCommitState(context.db, build.id)
  const previous = await findPreviousBuild(context.db, build, base)
  const { symbols } = build
  return {
    id: build.id,
    shortVersion: build.short_version,
    version: build.version,
    uploadedDate: toInstant(build.uploaded_at),
    installUrl: toInstallUrl(build, context.config.baseUrl),
    isExpired: isExpired(build),
    branch: build.source_branch,
    commit: build.source_commit,
    releaseNotes: build.release_notes,
    size: build.size,
    sizeChange: previous ? build.size - previous.size : null,
    previousBuildId: previous?.id ?? null,
    missingSymbolsCount: symbols === null ? null : symbols.expected - symbols.present,
    ...(await summarizeVerdictOf(context, build)),
  }
}
