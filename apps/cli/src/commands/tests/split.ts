import { relative, sep } from 'node:path'
import { buildCommand, numberParser } from '@stricli/core'
import { readCiTestRun } from '../../ci/test-run.ts'
import { CliError } from '../../cli-error.ts'
import type { CliContext } from '../../context.ts'
import { remoteFlags, type RemoteFlags, requiredAppFlag, switchFlag, textFlag } from '../../flags.ts'
import type { Io } from '../../io.ts'
import { writeLine, writeNote, writeResult } from '../../output/write.ts'
import { expandPattern } from '../../test-runs/find-reports.ts'
import { dealFiles } from '../../test-shards/deal.ts'
import { type DurationFlags, readDurations } from '../../test-shards/durations.ts'
import { weighFiles } from '../../test-shards/weigh.ts'

interface Flags extends RemoteFlags, DurationFlags {
  readonly shards?: number
  readonly index?: number
}

const numberFlag = (brief: string) =>
  ({ kind: 'parsed', parse: numberParser, brief, placeholder: 'n', optional: true }) as const

export const command = buildCommand<Flags, string[], CliContext>({
  docs: {
    brief: 'Deal test files to parallel jobs by how long they take, and print those of one job',
    fullDescription: [
      'Takes files and patterns, and prints the files of one shard, one a line. Durations are those of the last',
      'complete runs; a file that is new weighs as much as the median. All shards have to name the same files. Shards',
      'of one pipeline get the same durations, those of the shard that asked first. --shards and --index come from the',
      'variables of the CI service unless given; the index counts from 1.',
      '',
      "  fairlead tests split --app shop --shards 4 --index 1 'tests/**/*.spec.ts'",
      '',
      'The answer of the server is kept. Where it cannot be reached, the kept answer serves shards of the same run;',
      '--offline never calls it and takes the file of --cache, which a job before may have written.',
    ].join('\n'),
  },
  parameters: {
    positional: {
      kind: 'array',
      minimum: 1,
      parameter: { brief: 'Test files, or patterns between quotation marks', placeholder: 'file', parse: String },
    },
    flags: {
      app: requiredAppFlag,
      shards: numberFlag('Number of parallel jobs, 1 to 1000'),
      index: numberFlag('Which of them this is, from 1 on'),
      runKey: textFlag('Key of the run; the pipeline of the CI service unless given', 'key'),
      cache: textFlag('File that keeps the durations; one in the cache folder unless given', 'file'),
      offline: switchFlag('Do not call the server; take the kept durations'),
      ...remoteFlags,
    },
  },
  func(flags, ...patterns) {
    return splitTests(this.io, flags, patterns)
  },
})

async function splitTests(io: Io, flags: Flags, patterns: readonly string[]): Promise<void> {
  const { shards, index } = readShard(io, flags)
  const paths = await listFiles(io, patterns)
  const durations = await readDurations(io, flags, flags.runKey ?? readCiTestRun(io.env).key ?? null)
  const { files, unknown } = weighFiles(paths, durations)
  const dealt = dealFiles(files, shards)
  const own = dealt[index - 1]
  if (!own) throw new Error(`There is no shard ${index} of ${shards}`)
  const isNew = new Set(unknown)
  const result = {
    shard: `${index}/${shards}`,
    files: own.files,
    durationMs: own.durationMs,
    newFiles: own.files.filter((path) => isNew.has(path)),
    shards: dealt.map(({ files: { length }, durationMs }) => ({ files: length, durationMs })),
  }
  writeResult(io, flags.json, result, () => {
    for (const path of own.files) writeLine(io, path)
    const { newFiles } = result
    const time = isNew.size === files.length ? '' : `, ${(own.durationMs / 1000).toFixed(1)} s`
    const news = newFiles.length === 0 ? '' : `, ${newFiles.length} without a known duration`
    writeNote(io, `Shard ${index} of ${shards}: ${own.files.length} of ${files.length} files${time}${news}`)
  })
}

const maxShards = 1000

function readShard(io: Io, flags: Flags): { shards: number; index: number } {
  const [ofIndex, ofCount] = readCiTestRun(io.env).shard?.split('/').map(Number) ?? []
  const shards = flags.shards ?? ofCount
  const index = flags.index ?? ofIndex
  if (shards === undefined || index === undefined) {
    throw new CliError('usage', 'Which shard is this?', { fix: 'Give --shards 4 --index 1; the index counts from 1.' })
  }
  const isRight = Number.isInteger(shards) && Number.isInteger(index) && shards <= maxShards
  if (isRight && index >= 1 && index <= shards) return { shards, index }
  throw new CliError('usage', `There is no shard ${index} of ${shards}`, {
    fix: `The index is 1 to the number of shards, which is at most ${maxShards}.`,
  })
}

/** The files in an order that does not depend on the shell, as paths from the current folder. */
async function listFiles(io: Io, patterns: readonly string[]): Promise<string[]> {
  const found = new Set<string>()
  for (const pattern of patterns) {
    const paths = await expandPattern(io.cwd, pattern)
    if (paths.length === 0) {
      throw new CliError('notFound', `No file is at ${pattern}`, {
        fix: 'Put a pattern between quotation marks, so that the shell leaves it as it is.',
      })
    }
    for (const path of paths) found.add(relative(io.cwd, path).split(sep).join('/'))
  }
  return [...found].toSorted()
}
