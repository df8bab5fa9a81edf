import type { Client } from '@fairlead/client'
import { readCiEnvironment } from '../ci/ci-environment.ts'
import type { Io } from '../io.ts'
import type { Build } from '../output/build.ts'
import { writeNote, writeWarning } from '../output/write.ts'
import type { CommitFlags } from './commit-flags.ts'
import { type BuildCommits, sendCommits } from './send-commits.ts'

export interface UploadedCommitFlags extends CommitFlags {
  readonly commits?: string
}

/**
 * Sends the commits of a build that was just uploaded, as `--commits` says; on CI by itself. The build is there, so a
 * failure is a warning and nothing more.
 */
export async function sendCommitsOfUpload(
  io: Io,
  client: Client,
  build: Build,
  flags: UploadedCommitFlags,
): Promise<BuildCommits | null> {
  const isOnCi = readCiEnvironment(io.env) !== undefined || io.env.CI === 'true'
  const mode = flags.commits ?? (isOnCi ? 'auto' : 'off')
  if (mode === 'off') return null
  try {
    const sent = await sendCommits(io, client, build, mode === 'auto' ? undefined : mode, flags)
    writeNote(io, `Sent ${describeCommits(sent)}`)
    return sent
  } catch (error) {
    writeWarning(io, error instanceof Error ? error.message : String(error))
    return null
  }
}

export function describeCommits({ count, base, isComplete }: BuildCommits): string {
  const commits = count === 1 ? '1 commit' : `${count} commits`
  const from = base === null ? '' : ` since ${base.slice(0, 10)}`
  return `${commits}${from}${isComplete ? '' : '; there may be more'}`
}
