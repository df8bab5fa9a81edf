import type { Client } from '@fairlead/client'
import type { Io } from '../io.ts'
import type { Build } from '../output/build.ts'
import { readGitLine, succeeds } from './run-git.ts'

/** How many older builds are compared with the history. */
const maxBuilds = 30

/**
 * Finds where the commits of a build begin: at the commit of the newest older build of its branch from which it
 * descends, else where it left the newest build of the default branch. Undefined if no build tells it.
 */
export async function findBase(
  io: Io,
  client: Client,
  build: Pick<Build, 'id' | 'applicationId' | 'source'>,
  head: string,
): Promise<string | undefined> {
  const branch = build.source?.branch ?? undefined
  for (const commit of branch === undefined ? [] : await listOlderCommits(io, client, build, branch, head)) {
    if (await succeeds(io, ['merge-base', '--is-ancestor', commit, head])) return commit
  }
  const { defaultBranch } = await client.applications.get(build.applicationId, { signal: io.signal })
  for (const commit of await listOlderCommits(io, client, build, defaultBranch, head)) {
    const base = await readGitLine(io, ['merge-base', commit, head])
    if (base !== undefined && base !== head) return base
  }
  return undefined
}

/** The commits of older builds, newest first. Another build of the same commit is no beginning. */
async function listOlderCommits(
  io: Io,
  client: Client,
  build: Pick<Build, 'id' | 'applicationId'>,
  branch: string,
  head: string,
): Promise<string[]> {
  const page = await client.builds.listPage(
    build.applicationId,
    { branch, limit: maxBuilds, cursor: String(build.id) },
    { signal: io.signal },
  )
  const commits = page.items.flatMap(({ source }) => source?.commit ?? [])
  return [...new Set(commits)].filter((commit) => isHash(commit) && !isSame(commit, head))
}

export function isHash(text: string): boolean {
  return /^[0-9a-f]{7,64}$/i.test(text)
}

function isSame(one: string, other: string): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one]
  return long.toLowerCase().startsWith(short.toLowerCase())
}
