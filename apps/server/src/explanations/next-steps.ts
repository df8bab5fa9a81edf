/** What to do next, in sentences that hold ids and nothing else that came from outside. */
import type { CommitState, CrashExplanation } from '@fairlead/contract'

export function adviseOnCrash({
  location,
  introduced,
  suspects,
  hasAppFrames,
  missing,
}: Pick<CrashExplanation, 'location' | 'introduced' | 'suspects'> & {
  hasAppFrames: boolean
  missing: number
}): string[] {
  return [
    ...(missing > 0 ? ['Some frames have no symbols: upload them with the commands in missingSymbols.'] : []),
    ...(location ? ['Open the file of location at its line.'] : []),
    ...(!location && hasAppFrames ? ['No frame of the app has a line, so there is no location.'] : []),
    ...(hasAppFrames ? [] : ['No frame belongs to the app, so there are no location and no suspect commits.']),
    ...adviseOnCommits(introduced.buildId, introduced.commits, suspects.length),
    ...(suspects.length > 0 && !introduced.isCertain
      ? ['Nobody is known to have used the build before, so commits of earlier builds are among the suspects.']
      : []),
  ]
}

/** Why there are no suspects, or not all. */
export function adviseOnCommits(buildId: number | null, { state }: CommitState, suspectCount: number): string[] {
  if (buildId === null) return ['No build of the first version that fails is here, so there are no suspect commits.']
  if (state === 'none') {
    return [
      `No commits came with build ${buildId}: CI sends them with "fairlead builds upload", ` +
        `later with "fairlead builds commits ${buildId}".`,
    ]
  }
  const none =
    suspectCount === 0 ? [`No commit of build ${buildId} touches a file or a folder of the app's frames.`] : []
  const partial =
    state === 'partial'
      ? [`The commits of build ${buildId} may be incomplete: check out with the whole history (fetch-depth: 0).`]
      : []
  return [...none, ...partial]
}

export function adviseOnComparison({
  buildId,
  baseBuildId,
  state,
}: {
  buildId: number
  baseBuildId: number | null
  state: CommitState['state']
}): string[] {
  if (baseBuildId === null) return [`No build before build ${buildId} is here.`]
  if (state === 'complete') return []
  const what = state === 'none' ? 'No commits came' : 'Not all commits came'
  return [`${what} with the builds up to build ${buildId}: CI sends them with "fairlead builds upload".`]
}
