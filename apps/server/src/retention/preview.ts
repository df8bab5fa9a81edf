import type { PreviewRetention, RetentionPreview } from '@fairlead/contract'
import type { AppContext } from '../context.ts'
import type { RunSettings } from '../db/schema/retention.ts'
import { toInstant } from '../http/instant.ts'
import { listServedIds } from '../latest-links/served.ts'
import { createJudge } from './judge.ts'
import { type ReadBuild, readJudgedBuilds } from './judged-builds-store.ts'
import { readRetention } from './settings.ts'

const listLimit = 10_000

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
  const judge = createJudge({ settings, now, defaultBranch: application.default_branch }, servedIds)
  for await (const builds of readJudgedBuilds(db, application.id)) {
    yield builds.flatMap((build) => {
      const verdict = judge(build)
      return verdict ? [{ build, ...verdict }] : []
    })
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
  for await (const taken of judgeApplication(context, application, settings, now)) {
    for (const { build, rule, keptBy } of taken) {
      if (keptBy !== null) {
        kept[keptBy]++
        continue
      }
      candidateCount++
      candidateBytes += build.size
      files.add(build)
      if (builds.length < listLimit) builds.push(toListed(build, rule))
    }
  }
  return {
    evaluatedDate: toInstant(now),
    candidateCount,
    candidateBytes,
    freedBytes: files.sumFreed(),
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
