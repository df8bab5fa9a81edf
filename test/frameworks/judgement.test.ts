/** Uploads what real test frameworks wrote over a history of two branches, and compares the judgement with the plan. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { Test, TestReport, TestResult, Verdict } from '@fairlead/contract'
import { writeZip } from '@fairlead/binary/fixture'
import { startServer, type TestServer } from '../../apps/server/src/testing/start-server.ts'
import { sendReport } from '../../apps/server/src/testing/test-reports.ts'
import { createApplication } from '../../apps/server/src/testing/upload.ts'
import { type Classes, listFiles, plan, quarantine, readFile, readRecordings, toPlanned } from './history.ts'
import type { RecordedRun, Recording } from './recording.ts'

interface Difference {
  reason: string
  /** Classes by step; `absent` for what is not written. */
  classes?: Record<string, Classes>
  /** Tests that run in the project `phone` as well. */
  phone?: string[]
  verdicts?: Record<string, string>
  /** Flaky tests whose failed attempts are not written. */
  notFlaky?: string[]
}

/** What the plan says, and by framework or `framework/format` what that one writes differently, with the reason. */
const differences: Record<string, Difference | undefined> = readFile('differences.json')
/** What Go's own command writes, for programs and for people. Fairlead does not read it. */
const refusedFormats = new Set(['go-json', 'go-text'])

describe('the judgement of what real test frameworks write', () => {
  let server: TestServer
  before(async () => {
    server = await startServer()
  })
  after(() => server[Symbol.asyncDispose]())

  for (const recording of readRecordings()) {
    const formats = new Set(recording.runs.flatMap(({ formats }) => Object.keys(formats)))
    for (const format of formats) {
      if (refusedFormats.has(format)) {
        it(`is refused for ${recording.framework} in the format ${format}, with the name of a converter`, async () => {
          await createApplication(server, `${recording.framework}-${format}`)
          const [file] = recording.runs.flatMap((run) => listFiles(run, format))
          const alias = `${recording.framework}-${format}`
          const answer = await sendReport(server, file?.data ?? '', { alias })
          assert.equal(answer.status, 422)
          assert.match(answer.json.errors[0].detail, /gotestsum --junitfile/)
        })
        continue
      }
      it(`is the planted one for ${recording.framework} in the format ${format}`, async () => {
        await checkHistory(server, recording, format)
      })
    }
  }
})

async function checkHistory(server: TestServer, { framework, runs }: Recording, format: string): Promise<void> {
  const alias = `${framework}-${format}`
  const { id: applicationId } = await createApplication(server, alias)
  const found: Record<string, Classes> = {}
  const wanted: Record<string, Classes> = {}
  const verdicts: string[] = []
  const wantedVerdicts: string[] = []
  for (const run of runs) {
    if (run.formats[format] === undefined) continue
    if (run.step === 'regressions') await quarantine(server, applicationId)
    const { classes, verdict } = await judge(server, alias, run, format)
    found[run.step] = classes
    wanted[run.step] = toWanted(findDifferences(framework, format), run.step)
    const wantedVerdict = findDifferences(framework, format).find(({ verdicts }) => verdicts?.[run.step])?.verdicts?.[
      run.step
    ]
    const fails = Object.values(wanted[run.step] ?? {}).some((name) => name === 'new' || name === 'infrastructure')
    verdicts.push(`${run.step} ${verdict.result}`)
    wantedVerdicts.push(`${run.step} ${wantedVerdict ?? (fails ? 'fail' : 'pass')}`)
  }
  assert.deepEqual(found, wanted)
  assert.deepEqual(verdicts, wantedVerdicts)
  const { json: flaky } = await server.call('GET', `/v1/applications/${applicationId}/tests?state=flaky`)
  const hidden = new Set(findDifferences(framework, format).flatMap(({ notFlaky = [] }) => notFlaky))
  const flakyNames = ['loads the map', 'syncs the stock'].filter((name) => !hidden.has(name))
  assert.deepEqual([...new Set(Test.array().parse(flaky).map(toPlanned))].toSorted(), flakyNames)
}

async function judge(server: TestServer, alias: string, run: RecordedRun, format: string) {
  const files = listFiles(run, format)
  const { branch, commit } = run
  const answer = await sendReport(server, writeZip(files), { alias, branch, commit, key: run.step })
  assert.equal(answer.status, 201, answer.text)
  const report = TestReport.parse(answer.json)
  await server.call('POST', `/v1/testRuns/${report.run.id}/complete`)
  const results = await server.call('GET', `/v1/testRuns/${report.run.id}/results?outcome=failed`)
  const verdict = await server.call('GET', `/v1/testRuns/${report.run.id}/verdict`)
  const classes: Classes = {}
  for (const result of TestResult.array().parse(results.json)) {
    const isPhone = result.environment === 'phone' || result.suite?.startsWith('phone > ') === true
    const name = toPlanned(result) + (isPhone ? ' on the phone' : '')
    classes[name] = result.classification ?? 'none'
  }
  return { classes, verdict: Verdict.parse(verdict.json) }
}

function findDifferences(framework: string, format: string): Difference[] {
  return [differences[framework], differences[`${framework}/${format}`]].filter((one) => one !== undefined)
}

function toWanted(own: Difference[], step: string): Classes {
  const planned = { ...plan.classes[step] }
  for (const name of own.flatMap(({ phone = [] }) => phone)) {
    if (planned[name] !== undefined) planned[`${name} on the phone`] = planned[name]
  }
  for (const { classes } of own) {
    for (const [name, wanted] of Object.entries(classes?.[step] ?? {})) {
      planned[name] = wanted
      if (wanted === 'absent') planned[`${name} on the phone`] = wanted
    }
  }
  return Object.fromEntries(Object.entries(planned).filter(([, name]) => name !== 'absent'))
}
