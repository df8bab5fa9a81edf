import { isUtf8 } from 'node:buffer'
import { gunzipSync } from 'node:zlib'
import { commitLimits, type Fault, ReplaceCommits } from '@fairlead/contract'
import { requireAt } from '@fairlead/invariant'
import type { z } from 'zod'
import type {
  CommitList,
  CommitListAnswer,
  CommitListFault,
  CommitListRequest,
  ListedCommit,
  ListedFile,
} from './commit-list.ts'
import { cutCommitList } from './cut-commit-list.ts'
import { ReleaseWithCommits, toReleaseList } from './release-list.ts'

/** The most faults that an answer names. */
const maxFaults = 20

/** Reads the commits of a build or of a release from the body of a request. */
export function readCommitList({ body, isGzip, form }: CommitListRequest): CommitListAnswer {
  const bytes = isGzip ? unpack(body) : Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  if (typeof bytes === 'string') return refuse(bytes, '')
  const value = parse(bytes)
  if (value === undefined) return refuse('malformedJson', 'is not JSON in UTF-8')
  if (form === 'release') return readReleaseList(value)
  const count = countCommits(value)
  if (count > commitLimits.commits) {
    return refuse('tooManyCommits', `has ${count} commits; at most ${commitLimits.commits} are accepted`, '/commits')
  }
  const cut = cutCommitList(value)
  const parsed = ReplaceCommits.safeParse(cut.value)
  if (!parsed.success) return { fault: 'invalidRequest', faults: toFaults(parsed.error) }
  return { list: toList(parsed.data, cut) }
}

function readReleaseList(value: unknown): CommitListAnswer {
  const parsed = ReleaseWithCommits.safeParse(value)
  return parsed.success
    ? { list: toReleaseList(parsed.data.commits, Date.now()) }
    : { fault: 'invalidRequest', faults: toFaults(parsed.error) }
}

function refuse(fault: CommitListFault, detail: string, source = ''): CommitListAnswer {
  return { fault, faults: detail === '' ? [] : [{ source, detail }] }
}

/** A damaged body is told apart from one that is too large when it is unpacked. */
function unpack(body: Uint8Array): Buffer | CommitListFault {
  try {
    return gunzipSync(body, { maxOutputLength: commitLimits.bodyBytes })
  } catch (error) {
    const isTooLarge = error instanceof RangeError
    return isTooLarge ? 'tooLarge' : 'damagedEncoding'
  }
}

function parse(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) return undefined
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    return undefined
  }
}

function countCommits(value: unknown): number {
  const { commits }: { commits?: unknown } = Object(value)
  return Array.isArray(commits) ? commits.length : 0
}

function toFaults(error: z.ZodError): Fault[] {
  return error.issues.slice(0, maxFaults).map(({ path, message }) => ({
    source: path.map((part) => `/${String(part).slice(0, 100)}`).join(''),
    detail: message,
  }))
}

function toHunk(pair: readonly number[]): [firstLine: number, lineCount: number] {
  return [requireAt(pair, 0), requireAt(pair, 1)]
}

interface Cut {
  isTruncated: boolean
  fileCounts: readonly number[]
}

function toList(
  { base, head, isComplete, commits }: z.output<typeof ReplaceCommits>,
  { isTruncated, fileCounts }: Cut,
): CommitList {
  const listed = commits.map(({ id, date, subject, author, files }, place): ListedCommit => ({
    hash: id,
    committedAt: Date.parse(date),
    subject: subject?.toWellFormed() ?? null,
    author: author ? { name: author.name.toWellFormed(), email: author.email?.toWellFormed() ?? null } : null,
    fileCount: fileCounts[place] ?? files.length,
    files: files.map((file): ListedFile => ({
      path: file.path.toWellFormed(),
      status: file.status,
      previousPath: file.previousPath?.toWellFormed() ?? null,
      hunks: file.hunks?.map(toHunk) ?? null,
    })),
  }))
  return { base, head, isComplete: isComplete ?? true, isTruncated, commits: listed }
}
