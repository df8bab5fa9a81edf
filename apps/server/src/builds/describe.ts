import type { AppContext } from '../context.ts'
import { changesAt, toBuild } from './build.ts'
import { requireBuild } from './find.ts'

interface DescribedBuild {
  /** The build as JSON. */
  text: string
  /** From when on the text would be wrong, because the build has expired. */
  staleAt: number
}

/** A build as its JSON text: the answer that CI jobs ask for most. */
export async function describeBuild(
  context: Pick<AppContext, 'db' | 'memo' | 'config'>,
  workspaceId: number,
  buildId: number,
): Promise<DescribedBuild> {
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
