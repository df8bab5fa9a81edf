import type { PreviewRetention, RetentionPreview } from '@fairlead/contract'
import type { AppContext } from '../context.ts'
import type { RunSettings } from '../db/schema/retention.ts'
import { toInstant } from '../http/instant.ts'
import { listServedIds } from '../latest-links/served.ts'
import { type Circumstances, createJudge, dayMs, type JudgedBuild, type Verdict } from './judge.ts'
import { type ReadBuild, readJudgedBuilds } from './judged-builds-store.ts'
import { readRetention } from './settings.ts'

const listLimit = 10_000
/** How far a dry run looks back for what the same rules would have taken since. */
const lookBackMs = 30 * dayMs

interface OfApplication {
  id: number
  workspace_id: number
  default_branch: string
}

/** Judges all builds of an application, page by page, the highest ids first. */
export async function* judgeApplication(
  { db }: Pick<AppContext, 'db'>,
  application: Pick<OfApplication, 'id' | 'default_branch'>,
  settings: RunSettings,
  now: number,
) {
  const servedIds = await listServedIds({ db }, application.id)
  const given = { settings, defaultBranch: application.default_branch }
  const judge = createJudge({ ...given, now }, servedIds)
  const judgeBefore = createEarlierJudge({ ...given, now: now - lookBackMs }, servedIds)
  for await (const builds of readJudgedBuilds(db, application.id)) {
    yield builds.flatMap((build) => {
      const [verdict, before] = [judge(build), judgeBefore(build)]
      return verdict ? [{ build, ...verdict, wentBefore: before?.keptBy === null }] : []
    })
  }
}

/** Judges as if it were an earlier time: of the builds that are there today, those that were there then. */
function createEarlierJudge(given: Circumstances, servedIds: ReadonlySet<number>): (build: JudgedBuild) => Verdict {
  const judge = createJudge(given, servedIds)
  return (build) => {
    if (build.uploadedAt > given.now) return undefined
    return judge({ ...build, groups: build.groups.filter(({ distributedAt }) => distributedAt <= given.now) })
  }
}

/** Says which builds rules would take now: those of the body, or those that are saved. */
export async function previewRetention(
  context: Pick<AppContext, 'db'>,
  application: OfApplication,
  input: PreviewRetention,
): Promise<RetentionPreview> {
  const now = Date.now()
  const settings = input ?? (await readRetention(context.db, application))
  const kept = { pinned: 0, recent: 0, newestOfBranch: 0, latest: 0, distributed: 0 }
  const builds: RetentionPreview['builds'] = []
  const files = createFileSum()
  let [candidateCount, candidateBytes] = [0, 0]
  const last30Days = { candidateCount: 0, candidateBytes: 0 }
  for await (const taken of judgeApplication(context, application, settings, now)) {
    for (const { build, rule, keptBy, wentBefore } of taken) {
      if (keptBy !== null) {
        kept[keptBy]++
        continue
      }
      candidateCount++
      candidateBytes += build.size
      files.add(build)
      if (!wentBefore) {
        last30Days.candidateCount++
        last30Days.candidateBytes += build.size
      }
      if (builds.length < listLimit) builds.push(toListed(build, rule))
    }
  }
  return {
    evaluatedDate: toInstant(now),
    candidateCount,
    candidateBytes,
    freedBytes: files.sumFreed(),
    last30Days,
    builds,
    isCut: candidateCount > builds.length,
    kept,
  }
}

function toListed(build: ReadBuild, rule: number): RetentionPreview['builds'][number] {
  const { id, shortVersion, version, branch, size } = build
  return { id, shortVersion, version, branch, uploadedDate: toInstant(build.uploadedAt), size, rule }
}

/** Sums up the files that nothing refers to once the added builds are gone: equal bytes are stored once. */
function createFileSum() {
  const files = new Map<number, { size: number; references: number; own: number }>()
  return {
    add(build: ReadBuild) {
      for (const { blobId, size, references } of build.files) {
        const own = (files.get(blobId)?.own ?? 0) + 1
        files.set(blobId, { size, references, own })
      }
    },
    sumFreed(): number {
      let sum = 0
      for (const { size, references, own } of files.values()) if (own >= references) sum += size
      return sum
    },
  }
}
