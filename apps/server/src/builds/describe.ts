import type { AppContext } from '../context.ts'
import { changesAt, toBuild } from './build.ts'
import { requireBuild } from './find.ts'

/** A UTF-16 code unit of text in memory has two bytes at most. */
export const bytesPerUnit = 2

interface DescribedBuild {
  /** The build as JSON text. */
  text: string
  /** Epoch milliseconds at which the text becomes wrong because the build expires. */
  staleAt: number
}

/** Returns a build as JSON text from the memo; CI jobs request this answer more often than any other. */
export async function describeBuild(
  context: Pick<AppContext, 'db' | 'memo' | 'config' | 'installs'>,
  workspaceId: number,
  buildId: number,
): Promise<DescribedBuild> {
  await context.installs.flush()
  const read = () => describe(context, workspaceId, buildId)
  const key = `build ${workspaceId} ${buildId}`
  const described = await context.memo.remember(key, read, ({ text }) => text.length * bytesPerUnit)
  return described.staleAt > Date.now() ? described : describe(context, workspaceId, buildId)
}

async function describe(
  context: Pick<AppContext, 'db' | 'config'>,
  workspaceId: number,
  buildId: number,
): Promise<DescribedBuild> {
  const record = await requireBuild(context, workspaceId, buildId)
  const staleAt = changesAt(record)
  return { text: JSON.stringify(toBuild(record, context.config.baseUrl)), staleAt }
}
