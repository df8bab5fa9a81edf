import type { AppContext } from '../context.ts'
import { changesAt, toBuild } from './build.ts'
import { requireBuild } from './find.ts'

interface DescribedBuild {
  /** The build as JSON in UTF-8. Text would be encoded anew for each answer. */
  json: Buffer
  /** Epoch milliseconds at which the JSON becomes wrong because the build expires. */
  staleAt: number
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
  const described = await context.memo.remember(key, read, ({ json }) => json.length)
  return described.staleAt > Date.now() ? described : read()
}

async function describe(
  context: Pick<AppContext, 'db' | 'config'>,
  workspaceId: number,
  buildId: number,
): Promise<DescribedBuild> {
  const record = await requireBuild(context, workspaceId, buildId)
  const staleAt = changesAt(record)
  return { json: Buffer.from(JSON.stringify(toBuild(record, context.config.baseUrl))), staleAt }
}
