import type { Client } from '@fairlead/client'
import { CliError } from '../cli-error.ts'
import type { Io } from '../io.ts'
import type { Build } from '../output/build.ts'
import { writeWarning } from '../output/write.ts'
import type { CommitFlags } from './commit-flags.ts'
import { fitList } from './fit-list.ts'
import { findBase, isHash } from './find-base.ts'
import { type CommitList, dropLongPaths, readCommits } from './read-commits.ts'
import { readGitLine } from './run-git.ts'

export type BuildCommits = Awaited<ReturnType<Client['builds']['replaceCommits']>>

/** The most commits that the server takes, and how many are sent if nothing says where they begin. */
const maxCommits = 1000
const lastCommits = 50

/**
 * Reads the commits that came with a build from the checkout in the current folder, and sends them. What leaves the
 * machine: ids, dates, paths and line numbers; never code.
 *
 * @param range `A..B`, or undefined to find the beginning by the builds before
 * @throws {CliError}
 */
export async function sendCommits(
  io: Io,
  client: Client,
  build: Build,
  range: string | undefined,
  flags: CommitFlags,
): Promise<BuildCommits> {
  const list = await readList(io, client, build, range, flags)
  return client.builds.replaceCommits(build.id, fitList(list), { signal: io.signal })
}

async function readList(
  io: Io,
  client: Client,
  build: Build,
  range: string | undefined,
  flags: CommitFlags,
): Promise<CommitList> {
  if ((await readGitLine(io, ['rev-parse', '--is-inside-work-tree'])) !== 'true') {
    throw new CliError('refused', 'No commits were sent: the current folder is not in a Git checkout')
  }
  const isShallow = (await readGitLine(io, ['rev-parse', '--is-shallow-repository'])) === 'true'
  if (isShallow) {
    writeWarning(
      io,
      'the checkout is shallow, so commits may be missing; check out with the whole history (fetch-depth: 0)',
    )
  }
  const { base, head } = range === undefined ? await findEnds(io, client, build) : await readRange(io, range)
  const most = base === null ? lastCommits : maxCommits + 1
  const paths = flags.commitsPath ?? []
  const { commitSubjects: withSubjects, commitAuthors: withAuthors } = flags
  const read = await readCommits(io, { base, head, paths, most, withSubjects, withAuthors })
  if (!read) throw new CliError('refused', 'No commits were sent: git could not read the history')
  const commits = dropLongPaths(read).slice(0, maxCommits)
  const isComplete = base !== null && !isShallow && read.length <= maxCommits
  return { base, head, isComplete, commits }
}

async function findEnds(io: Io, client: Client, build: Build): Promise<{ base: string | null; head: string }> {
  const named = build.source?.commit ?? ''
  const head =
    (isHash(named) ? await findCommit(io, named) : undefined) ??
    (await findCommit(io, 'HEAD')) ??
    refuse('No commits were sent: the checkout has no commit')
  const base = await findBase(io, client, build, head)
  return { base: base === undefined ? null : ((await findCommit(io, base)) ?? null), head }
}

async function readRange(io: Io, range: string): Promise<{ base: string; head: string }> {
  const [from = '', to = ''] = range.split(/\.\.+/)
  const base = await findCommit(io, from)
  const head = await findCommit(io, to === '' ? 'HEAD' : to)
  if (base === undefined || head === undefined) {
    throw new CliError('usage', `git knows no commits ${range}`, { fix: 'Give two commits, as in v1.2..HEAD.' })
  }
  return { base, head }
}

/** The whole hash of a commit that the checkout holds. */
async function findCommit(io: Io, name: string): Promise<string | undefined> {
  // A name that begins with a hyphen would be an option of git.
  if (name === '' || name.startsWith('-')) return undefined
  return readGitLine(io, ['rev-parse', '--verify', '--quiet', `${name}^{commit}`])
}

function refuse(message: string): never {
  throw new CliError('refused', message)
}
