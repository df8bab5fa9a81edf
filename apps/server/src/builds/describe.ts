import type { AppContext } from '../context.ts'
import type { Topic } from '../db/changes.ts'
import { changesAt, toBuild } from './build.ts'
import { requireBuild } from './find.ts'
import { toBuildTopics } from './hold-answer.ts'

interface DescribedBuild {
  /** The build as JSON in UTF-8. Text would be encoded anew for each answer. */
  json: Buffer
  /** Epoch milliseconds at which the JSON becomes wrong because the build expires. */
  staleAt: number
  topics: readonly Topic[]
  /** Over PostgreSQL: differs when anything differs that the answer is made of. */
  version: string | undefined
}

/** Returns a build as JSON from the memo; CI jobs request this answer more often than any other. */
export async function describeBuild(
  context: Pick<AppContext, 'db' | 'memo' | 'config' | 'installs'>,
  workspaceId: number,
  buildId: number,
): Promise<DescribedBuild> {
  await context.installs.flush()
  const read = () => describe(context, workspaceId, buildId)
  const key = `build ${workspaceId} ${buildId}`
  const kept = { topics: (value: DescribedBuild) => value.topics, weigh: (value: DescribedBuild) => value.json.length }
  const described = await context.memo.remember(key, read, kept)
  return described.staleAt > Date.now() ? described : read()
}

async function describe(
  context: Pick<AppContext, 'db' | 'config'>,
  workspaceId: number,
  buildId: number,
): Promise<DescribedBuild> {
  const record = await requireBuild(context, workspaceId, buildId)
  const staleAt = changesAt(record)
  const json = Buffer.from(JSON.stringify(toBuild(record, context.config.baseUrl)))
  return { json, staleAt, topics: toBuildTopics(record), version: record.version_text }
}
