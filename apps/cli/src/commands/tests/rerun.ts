import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Client, TestResult } from '@fairlead/client'
import { buildCommand } from '@stricli/core'
import type { CliContext } from '../../context.ts'
import { appFlag, idArgument, remoteFlags, type RemoteFlags, switchFlag, textFlag } from '../../flags.ts'
import type { Io } from '../../io.ts'
import { writeLine, writeNote, writeResult } from '../../output/write.ts'
import { openSession } from '../../settings/session.ts'
import { requireRunId, type RunFlags } from '../../test-runs/find-run.ts'
import { type Runner, runners, toRerunArguments } from '../../test-shards/rerun.ts'

interface Flags extends RemoteFlags, RunFlags {
  readonly runner: Runner
  readonly new: boolean
  readonly print0: boolean
}

export const command = buildCommand<Flags, [id?: number], CliContext>({
  docs: {
    brief: 'Print the arguments that make a test runner run the failed tests of a run again',
    fullDescription: [
      'One argument a line, for gradle, xcodebuild, playwright, jest or pytest; nothing if no test failed.',
      '',
      "  fairlead tests rerun --app shop --runner gradle | tr '\\n' '\\0' | xargs -0 ./gradlew test",
      '  fairlead tests rerun 540 --runner pytest --print0 | xargs -0 --no-run-if-empty python3 -m pytest',
    ].join('\n'),
  },
  parameters: {
    positional: { kind: 'tuple', parameters: [{ ...idArgument('Id of the run'), optional: true }] },
    flags: {
      app: appFlag,
      runKey: textFlag('Key of the run; the pipeline of the CI service unless given', 'key'),
      runner: { kind: 'enum', values: runners, brief: 'The test runner' },
      new: switchFlag('Only failures that are new: neither known nor flaky nor quarantined'),
      print0: switchFlag('End each argument with a zero byte instead of a line break, for xargs -0'),
      ...remoteFlags,
    },
  },
  func(flags, id) {
    return printRerun(this.io, flags, id)
  },
})

/** The most failed tests that are read; running more of them again would be running all. */
const maxTests = 2000
const pageSize = 200

async function printRerun(io: Io, flags: Flags, id: number | undefined): Promise<void> {
  const { client } = await openSession(io, flags)
  const runId = await requireRunId(io, client, flags, id)
  const failed = await listFailed(client, runId, flags.new)
  const isFile = (path: string) => statSync(resolve(io.cwd, path), { throwIfNoEntry: false })?.isFile() === true
  const words = toRerunArguments(flags.runner, failed, isFile)
  writeResult(io, flags.json, { runId, runner: flags.runner, tests: failed.length, arguments: words }, () => {
    if (failed.length === 0) writeNote(io, `No test of run ${runId} failed`)
    // An argument may hold anything but a zero byte, so it is written as it is.
    if (flags.print0) for (const word of words) io.stdout.write(`${word}\0`)
    else for (const word of words) writeLine(io, word.replaceAll(/[\r\n]+/g, ' '))
  })
}

async function listFailed(client: Client, runId: number, onlyNew: boolean): Promise<TestResult[]> {
  const found: TestResult[] = []
  let cursor: string | undefined
  while (found.length < maxTests) {
    const query = { outcome: 'failed', limit: pageSize, classification: onlyNew ? 'new' : undefined, cursor } as const
    const { items, nextCursor } = await client.tests.listResults(runId, query)
    found.push(...items)
    if (nextCursor === null) break
    cursor = nextCursor
  }
  return found
}
