import type { AppContext } from '../context.ts'
import { changesAt, toBuild } from './build.ts'
import { requireBuild } from './find.ts'

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
  const described = await context.memo.remember(`build ${workspaceId} ${buildId}`, () =>
    describe(context, workspaceId, buildId),
  )
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
