import type { Io } from '../io.ts'
import { streamGit } from './run-git.ts'

export type Hunks = [firstLine: number, lineCount: number][]

/** The most hunks of a file that the server takes. */
const maxHunks = 100
/** A line of code may be megabytes long; what matters is at the beginnings of lines. */
const maxStart = 200

/**
 * Reads which lines of each file commits have changed, file by file in the order of `git log --name-status`. The code
 * itself is not kept.
 */
export async function readHunks(
  io: Io,
  commits: readonly string[],
  paths: readonly string[],
): Promise<Map<string, Hunks[]>> {
  const files = new Map<string, Hunks[]>()
  if (commits.length === 0) return files
  const reader = createHunkReader(files)
  const scan = createLineScanner(reader)
  const diff = [
    'diff-tree',
    '--stdin',
    '--root',
    '-r',
    '-M',
    '-p',
    '-U0',
    '--no-color',
    '--no-ext-diff',
    '--no-textconv',
  ]
  const isDone = await streamGit(io, ['--literal-pathspecs', ...diff, '--', ...paths], {
    input: `${commits.join('\n')}\n`,
    onChunk: scan,
  })
  return isDone ? files : new Map()
}

/** Calls back with the beginning of each line. */
function createLineScanner(onLine: (start: string) => void): (chunk: Buffer) => void {
  let start = ''
  return (chunk) => {
    let at = 0
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, at)) {
      onLine(start + chunk.toString('latin1', at, Math.min(end, at + maxStart)))
      start = ''
      at = end + 1
    }
    if (start.length < maxStart) start += chunk.toString('latin1', at, Math.min(chunk.length, at + maxStart))
  }
}

/** Without context, each line of a patch is a header, or begins with a plus, a minus or a backslash. */
function createHunkReader(files: Map<string, Hunks[]>): (line: string) => void {
  let ofCommit: Hunks[] = []
  let ofFile: Hunks = []
  return (line) => {
    const commit = /^[0-9a-f]{40,64}$/.exec(line)?.[0]
    if (commit !== undefined) {
      ofCommit = []
      files.set(commit, ofCommit)
    } else if (line.startsWith('diff --git ')) {
      ofFile = []
      ofCommit.push(ofFile)
    } else if (line.startsWith('@@ ') && ofFile.length < maxHunks) {
      const found = /^@@ -\S+ \+(\d+)(?:,(\d+))? @@/.exec(line)
      if (found) ofFile.push([Number(found[1]), Number(found[2] ?? 1)])
    }
  }
}
