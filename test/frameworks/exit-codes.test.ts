/** Runs recorded test commands again under `fairlead tests run`: same reports, same output, same exit code. */
import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { writeZip } from '@fairlead/binary/fixture'
import { startServer, type TestServer } from '../../apps/server/src/testing/start-server.ts'
import { sendReport } from '../../apps/server/src/testing/test-reports.ts'
import { createApplication } from '../../apps/server/src/testing/upload.ts'
import { type Ended, runFairlead } from '../cli/fairlead.ts'
import { listFiles, quarantine, readRecordings } from './history.ts'
import type { RecordedRun } from './recording.ts'

/** The format of each framework that carries most facts, by what its documentation page recommends. */
const formats: Record<string, string> = { jest: 'junit-suite-errors', playwright: 'junit-retries' }
/** Runs of the feature branch; those before are its history. */
const judgedSteps = new Set(['regressions', 'excused', 'not-loaded', 'killed'])

describe('the exit code of fairlead tests run', () => {
  let server: TestServer
  before(async () => {
    server = await startServer()
  })
  after(() => server[Symbol.asyncDispose]())

  for (const { framework, runs } of readRecordings()) {
    const format = formats[framework] ?? 'junit'
    it(`is 0 for ${framework} only where excused failures explain its own exit code`, async () => {
      const { id } = await createApplication(server, framework)
      for (const { step, branch, commit, ...run } of runs.filter(({ step }) => !judgedSteps.has(step))) {
        const files = listFiles({ step, branch, commit, ...run }, format)
        const answer = await sendReport(server, writeZip(files), { alias: framework, branch, commit, key: step })
        assert.equal(answer.status, 201, answer.text)
        await server.call('POST', `/v1/testRuns/${answer.json.run.id}/complete`)
      }
      await quarantine(server, id)
      const codes: Record<string, number | null> = {}
      const wanted: Record<string, number | null> = {}
      const said: string[] = []
      for (const run of runs.filter(({ step }) => judgedSteps.has(step))) {
        const { code, stderr } = await replay(server, run, { alias: framework, format })
        codes[run.step] = code
        said.push(`${run.step}: ${stderr}`)
        // New failures are 1, whatever the command says. Excused ones are 0, unless tests are missing.
        const isFailed = /^new\t/m.test(stderr)
        wanted[run.step] = { regressions: 1, excused: 0 }[run.step] ?? (isFailed ? 1 : run.exitCode)
        // Its tests are one compiled program, of which no file can be left out.
        if (framework === 'googletest' && run.step === 'not-loaded') wanted[run.step] = 0
      }
      assert.deepEqual(codes, wanted, said.join('\n'))
    })
  }
})

/** Runs a command that writes the recorded files, prints the recorded output and ends with the recorded code. */
async function replay(
  server: TestServer,
  run: RecordedRun,
  { alias, format }: { alias: string; format: string },
): Promise<Ended> {
  const folder = await mkdtemp(join(tmpdir(), 'fairlead-replay-'))
  try {
    const files = listFiles(run, format)
    const script = `const { cpSync } = require('node:fs')
cpSync('recorded', 'reports', { recursive: true })
process.stdout.write(${JSON.stringify(run.output)}, () => process.exit(${run.exitCode}))
`
    await mkdir(join(folder, 'recorded'))
    for (const { name, data } of files) {
      await mkdir(dirname(join(folder, 'recorded', name)), { recursive: true })
      await writeFile(join(folder, 'recorded', name), data)
    }
    await writeFile(join(folder, 'command.cjs'), script)
    const flags = ['--app', alias, '--branch', run.branch, '--commit', run.commit, '--run-key', run.step]
    return await runFairlead(
      ['tests', 'run', ...flags, '--allow-known', '--report', 'reports', '--', process.execPath, 'command.cjs'],
      { cwd: folder, env: { FAIRLEAD_URL: server.url, FAIRLEAD_TOKEN: server.token } },
    )
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
