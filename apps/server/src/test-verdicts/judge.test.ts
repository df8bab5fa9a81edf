import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { Test, TestComparison, type TestResult, type TestRun, Verdict } from '@fairlead/contract'
import { startServer } from '../testing/start-server.ts'
import { completeRun, type ReportOptions, uploadReport, writeJunit, type WrittenCase } from '../testing/test-reports.ts'
import { createApplication, uploadApk } from '../testing/upload.ts'

describe('the judgement of a run', async () => {
  const server = await startServer()
  after(() => server[Symbol.asyncDispose]())
  let count = 0

  /** Each test has an application of its own, whose history no other test changes. */
  const open = async () => {
    const alias = `app-${++count}`
    const { id } = await createApplication(server, alias)
    let run = 0
    const play = async (cases: WrittenCase[] | string, options: ReportOptions = {}): Promise<TestRun> => {
      const names = { alias, branch: 'main', commit: `c${++run}`, key: `k${run}`, ...options }
      const report = await uploadReport(server, cases, names)
      await completeRun(server, report.run.id)
      return report.run
    }
    const verdictOf = async (runId: number) =>
      Verdict.parse((await server.call('GET', `/v1/testRuns/${runId}/verdict`)).json)
    const classesOf = async (runId: number) => {
      const { json } = await server.call('GET', `/v1/testRuns/${runId}/results?outcome=failed`)
      return Object.fromEntries(json.map((one: TestResult) => [one.name, one.classification]))
    }
    const listTests = async (state: string) => {
      const { json, text } = await server.call('GET', `/v1/applications/${id}/tests?state=${state}`)
      assert.ok(Array.isArray(json), text)
      return json.map((one: unknown) => Test.parse(one))
    }
    return { id, alias, play, verdictOf, classesOf, listTests }
  }
  const passing = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => ({ name }))

  it('classifies a failure as new, then as known, and tells since when it fails', async () => {
    const { play, verdictOf, classesOf, listTests } = await open()
    const first = await play([...passing, { name: 'x' }])
    assert.equal((await verdictOf(first.id)).result, 'pass')
    const second = await play([...passing, { name: 'x', failure: 'expected 3 but was 4' }])
    assert.deepEqual(await classesOf(second.id), { x: 'new' })
    const verdict = await verdictOf(second.id)
    assert.equal(verdict.result, 'fail')
    assert.deepEqual(
      verdict.reasons.map(({ code, count: number }) => [code, number]),
      [['new', 1]],
    )
    assert.deepEqual(verdict.base, { runId: first.id, commit: 'c1' })
    const third = await play([...passing, { name: 'x', failure: 'expected 3 but was 5' }])
    assert.deepEqual(await classesOf(third.id), { x: 'known' })
    assert.equal((await verdictOf(third.id)).result, 'pass')
    const [failing] = await listTests('failing')
    assert.equal(failing?.state, 'failing')
    assert.deepEqual(failing?.range, [
      {
        branch: 'main',
        environment: null,
        lastPassed: { runId: first.id, commit: 'c1' },
        firstFailed: { runId: second.id, commit: 'c2' },
      },
    ])
    const fourth = await play([...passing, { name: 'x' }])
    assert.deepEqual(await listTests('failing'), [])
    const { json } = await server.call('GET', `/v1/testRuns/${fourth.id}/comparison?to=${third.id}`)
    const comparison = TestComparison.parse(json)
    assert.deepEqual(comparison.counts, { newFailures: 0, fixed: 1, stillFailing: 0, appeared: 0, vanished: 0 })
    assert.equal(comparison.fixed[0]?.name, 'x')
  })

  it('counts the cases of one report alone where it is asked for, so that jobs do not fail each other', async () => {
    const { alias } = await open()
    const names = { alias, branch: 'main', commit: 'c1', key: 'jobs' }
    const good = await uploadReport(server, [{ name: 'a' }], names)
    const bad = await uploadReport(server, [{ name: 'b', failure: 'expected 1' }], names)
    const path = `/v1/testRuns/${good.run.id}`
    const read = async (query: string) => Verdict.parse((await server.call('GET', `${path}/verdict${query}`)).json)
    assert.equal((await read(`?reportId=${good.id}`)).result, 'pending')
    await completeRun(server, good.run.id)
    assert.equal((await read('')).result, 'fail')
    const own = await read(`?reportId=${good.id}`)
    assert.deepEqual([own.result, own.counts.passed, own.counts.new], ['pass', 1, 0])
    const other = await read(`?reportId=${bad.id}`)
    assert.deepEqual([other.result, other.counts.passed, other.counts.new], ['fail', 0, 1])
    const { json } = await server.call('GET', `${path}/results?reportId=${bad.id}`)
    assert.deepEqual(
      json.map(({ name }: TestResult) => name),
      ['b'],
    )
    const foreign = await server.call('GET', `${path}/verdict?reportId=${bad.id + 1}`)
    assert.deepEqual([foreign.status, foreign.json.errors[0].source], [400, 'reportId'])
    // An attempt of the other job replaces the case, and with it what the first report is judged by.
    await uploadReport(server, [{ name: 'b' }], { ...names, attempt: 2 })
    await completeRun(server, good.run.id)
    assert.equal((await read(`?reportId=${bad.id}`)).result, 'noTests')
  })

  it('classifies a test as flaky after flips on two commits, and its failures in the same group', async () => {
    const { play, verdictOf, classesOf, listTests } = await open()
    await play([...passing, { name: 'x', flaky: ['timed out after 5 s'] }])
    assert.deepEqual(await listTests('flaky'), [])
    await play([...passing, { name: 'x', flaky: ['timed out after 7 s'] }])
    const [flaky] = await listTests('flaky')
    assert.equal(flaky?.state, 'flaky')
    assert.deepEqual(flaky?.flips, [
      { commit: 'c1', environment: null },
      { commit: 'c2', environment: null },
    ])
    const third = await play([...passing, { name: 'x', failure: 'timed out after 9 s' }])
    assert.deepEqual(await classesOf(third.id), { x: 'flaky' })
    assert.equal((await verdictOf(third.id)).result, 'pass')
    const fourth = await play([...passing, { name: 'x', failure: 'no such product' }])
    assert.deepEqual(await classesOf(fourth.id), { x: 'new' })
  })

  it('finds a flip in two runs of one commit', async () => {
    const { id, play } = await open()
    await play([...passing, { name: 'x', failure: 'late' }], { commit: 'same' })
    await play([...passing, { name: 'x' }], { commit: 'same' })
    const { json } = await server.call('GET', `/v1/applications/${id}/tests?q=x`)
    assert.deepEqual(json[0].flips, [{ commit: 'same', environment: null }])
    assert.equal(json[0].state, 'suspect')
  })

  it('finds a flip in two attempts of one run', async () => {
    const { id, alias, play } = await open()
    const run = await play([...passing, { name: 'x', failure: 'late' }], { key: 'one', commit: 'c' })
    const again = await uploadReport(server, [{ name: 'x' }], { alias, key: 'one', attempt: 2 })
    assert.equal(again.run.id, run.id)
    assert.equal(again.run.counts.failed, 0)
    const { json } = await server.call('GET', `/v1/applications/${id}/tests?q=x`)
    assert.deepEqual(json[0].flips, [{ commit: 'c', environment: null }])
  })

  it('classifies a lost device as infrastructure, which adds no flip and no streak and is no base', async () => {
    const { id, play, verdictOf, classesOf, listTests } = await open()
    await play([...passing, { name: 'x' }])
    await play([...passing, { name: 'x', failure: 'expected 3' }])
    const names = [...passing, { name: 'x' }]
    const lost = await play(
      names.map((one) => ({ ...one, failure: 'Connection refused' })),
      { commit: 'c1' },
    )
    assert.deepEqual([...new Set(Object.values(await classesOf(lost.id)))], ['infrastructure'])
    const verdict = await verdictOf(lost.id)
    assert.deepEqual([verdict.result, verdict.counts.infrastructure], ['fail', 7])
    const next = await play([...passing, { name: 'x', failure: 'expected 3' }])
    assert.deepEqual(await classesOf(next.id), { x: 'known' })
    assert.deepEqual(
      (await listTests('failing')).map(({ name }) => name),
      ['x'],
    )
    const { json } = await server.call('GET', `/v1/applications/${id}/tests`)
    assert.deepEqual(
      json.flatMap((one: Test) => one.flips),
      [],
    )
  })

  it('takes many equal failures for a broken fixture, unless their tests passed at the same commit', async () => {
    const { play, classesOf } = await open()
    await play(passing)
    const broken = passing.map(({ name }) => ({ name, failure: 'the fixture is gone' }))
    const first = await play(broken, { commit: 'f1', branch: 'feature' })
    assert.deepEqual(new Set(Object.values(await classesOf(first.id))), new Set(['new']))
    await play(passing, { commit: 'f2', branch: 'feature' })
    const second = await play(broken, { commit: 'f2', branch: 'feature' })
    assert.deepEqual(new Set(Object.values(await classesOf(second.id))), new Set(['infrastructure']))
  })

  it('does not take a failure for known because another test fails in the same words', async () => {
    const { play, classesOf } = await open()
    await play([...passing, { name: 'x', failure: 'expected 3 but was 2' }, { name: 'y' }])
    const both = await play([
      ...passing,
      { name: 'x', failure: 'expected 3 but was 2' },
      { name: 'y', failure: 'expected 3 but was 2' },
    ])
    assert.deepEqual(await classesOf(both.id), { x: 'known', y: 'new' })
  })

  it('does not take a failure in one environment for known because of another one', async () => {
    const { play } = await open()
    const on = (device: string, fails: boolean) =>
      `<testsuite name="unit" device="${device}"><testcase classname="shop.CartTest" name="x">` +
      `${fails ? '<failure message="too wide"/>' : ''}</testcase></testsuite>`
    const both = (phone: boolean, desktop: boolean) =>
      `<testsuites>${on('phone', phone)}${on('desktop', desktop)}</testsuites>`
    await play(both(true, false))
    const { id } = await play(both(true, true))
    const { json } = await server.call('GET', `/v1/testRuns/${id}/results?outcome=failed`)
    const classes = json.map((one: TestResult) => [one.environment, one.classification])
    assert.deepEqual(Object.fromEntries(classes), { desktop: 'new', phone: 'known' })
  })

  it('compares with the run before a stump, and takes the last other result of a test that the base lost', async () => {
    const { play, verdictOf, classesOf } = await open()
    const failing = { name: 'x', failure: 'expected 3 but was 2' }
    const whole = await play([...passing, failing])
    await play(passing.slice(0, 2))
    const after = await play([...passing, failing], { branch: 'feature' })
    assert.equal((await verdictOf(after.id)).base?.runId, whole.id)
    assert.deepEqual(await classesOf(after.id), { x: 'known' })
    const other = await play([...passing, { name: 'x', failure: 'the basket is gone' }])
    const again = await play([...passing, failing], { branch: 'feature' })
    assert.equal((await verdictOf(again.id)).base?.runId, other.id)
    assert.deepEqual(await classesOf(again.id), { x: 'known' })
  })

  it('takes the run before also if the only run of the base commit is a stump', async () => {
    const { play, verdictOf, classesOf } = await open()
    const failing = { name: 'x', failure: 'expected 3 but was 2' }
    const whole = await play([...passing, failing], { commit: 'whole' })
    await play(passing.slice(0, 2), { commit: 'stump' })
    await play([...passing, { name: 'x' }], { commit: 'later' })
    const topic = await play([...passing, failing], { branch: 'topic', baseCommit: 'stump' })
    assert.equal((await verdictOf(topic.id)).base?.runId, whole.id)
    assert.deepEqual(await classesOf(topic.id), { x: 'known' })
  })

  it('compares with a whole run of its own suites, whatever ran on the branch since', async () => {
    const failing = { name: 'x', failure: 'expected 3 but was 2' }
    const whole = [...passing, { name: 'y' }, failing]
    const suites = (...some: string[]) =>
      `<testsuites>${some.map((suite) => writeJunit(whole, suite)).join('')}</testsuites>`
    const skipped = whole.map((one) => (one.name === 'y' ? one : { name: one.name, skipped: true }))
    const small = whole.slice(-2)
    const stories = {
      'stumps in a row': [[whole, whole, small, small, small], whole, 1],
      'stumps that grow': [[whole, whole.slice(0, 1), whole.slice(0, 2)], whole, 0],
      'the others skipped': [[whole, skipped, skipped], whole, 0],
      'one file of three': [[suites('a', 'b', 'c'), suites('b'), suites('b')], suites('a', 'b', 'c'), 0],
      'another job at night': [[suites('a', 'b'), suites('night'), suites('night')], suites('a', 'b'), 0],
      'a stump itself, after two of them': [[whole, small, small], small, 0],
      'another job itself': [[suites('a', 'b'), suites('night'), suites('night')], suites('night'), 2],
      'tests that were deleted': [[whole, ...Array.from({ length: 6 }, () => small)], small, 6],
      'tests that were added': [[small, small], whole, 1],
      'a first run': [[suites('a')], suites('b'), 0],
    } as const
    const found: Record<string, number> = {}
    for (const [name, [earlier, topic]] of Object.entries(stories)) {
      const { play, verdictOf } = await open()
      const ids: number[] = []
      for (const report of earlier) ids.push((await play(typeof report === 'string' ? report : [...report])).id)
      const { id } = await play(typeof topic === 'string' ? topic : [...topic], { branch: 'topic' })
      const { base, counts } = await verdictOf(id)
      found[name] = ids.findIndex((one) => one === base?.runId)
      if (typeof topic !== 'string') assert.deepEqual([counts.new, counts.known], [0, 1], name)
    }
    const expected = Object.entries(stories).map(([name, [, , index]]) => [name, index])
    assert.deepEqual(found, Object.fromEntries(expected))
  })

  it('ignores failures of a quarantined test; a quarantine needs a reason and ends by itself', async () => {
    const { id, play, verdictOf, classesOf, listTests } = await open()
    await play([...passing, { name: 'x', failure: 'expected 3' }])
    const [test] = await listTests('failing')
    const path = `/v1/applications/${id}/quarantine`
    assert.equal((await server.call('POST', path, { json: { testId: test?.id } })).status, 422)
    assert.equal((await server.call('POST', path, { json: { testId: 999_999, reason: 'x' } })).status, 422)
    const created = await server.call('POST', path, { json: { testId: test?.id, reason: 'see #12' } })
    assert.equal(created.status, 201, created.text)
    assert.ok(Date.parse(created.json.expirationDate) > Date.now())
    const toEnd = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
    const inOffset = new Date(Date.now() + 90_000_000).toISOString().replace(/\.\d+Z$/, '+01:00')
    const offset = await server.call('POST', path, {
      json: { testId: test?.id, reason: 'x', expirationDate: inOffset },
    })
    assert.equal(Date.parse(offset.json.expirationDate), Date.parse(inOffset))
    assert.equal((await server.call('DELETE', `${path}/${offset.json.id}`)).status, 204)
    for (const expirationDate of [toEnd(-1), toEnd(15)]) {
      const refused = await server.call('POST', path, { json: { testId: test?.id, reason: 'x', expirationDate } })
      assert.equal(refused.status, 422, refused.text)
    }
    const run = await play([...passing, { name: 'x', failure: 'something else' }])
    assert.deepEqual(await classesOf(run.id), { x: 'quarantined' })
    assert.equal((await verdictOf(run.id)).result, 'pass')
    assert.equal((await listTests('quarantined'))[0]?.state, 'quarantined')
    assert.equal((await server.call('DELETE', `${path}/${created.json.id}`)).status, 204)
    assert.equal((await server.call('DELETE', `${path}/${created.json.id}`)).status, 404)
    assert.deepEqual(await listTests('quarantined'), [])
  })

  it('compares with the run of the base commit, and does not change when later runs arrive', async () => {
    const { play, classesOf, verdictOf } = await open()
    const base = await play([...passing, { name: 'x', failure: 'old' }], { commit: 'base' })
    await play([...passing, { name: 'x' }])
    const options = { branch: 'topic', baseCommit: 'base' }
    const topic = await play([...passing, { name: 'x', failure: 'old' }], options)
    assert.deepEqual(await classesOf(topic.id), { x: 'known' })
    assert.equal((await verdictOf(topic.id)).base?.runId, base.id)
    const other = await play([...passing, { name: 'x', failure: 'old' }], { branch: 'topic' })
    assert.deepEqual(await classesOf(other.id), { x: 'new' })
  })

  it('does not pass a run without tests, and classifies a crashed process as infrastructure', async () => {
    const { alias, verdictOf } = await open()
    const empty = await uploadReport(server, '<testsuite name="s" tests="0"/>', { alias })
    assert.equal((await verdictOf(empty.run.id)).result, 'pending')
    await completeRun(server, empty.run.id)
    assert.equal((await verdictOf(empty.run.id)).result, 'noTests')
    const crashed = '<testsuite name="s" tests="0"><system-err>Process crashed.</system-err></testsuite>'
    const report = await uploadReport(server, crashed, { alias })
    await completeRun(server, report.run.id)
    const verdict = await verdictOf(report.run.id)
    assert.deepEqual([verdict.result, verdict.reasons[0]?.code], ['fail', 'infrastructure'])
  })

  it('fails a run without one of its shards as one that lost a machine, until that shard comes', async () => {
    const { alias, verdictOf } = await open()
    const send = (shard: string) => uploadReport(server, passing, { alias, key: 'shards', shard })
    await send('1/3')
    const { run } = await send('3/3')
    assert.equal((await verdictOf(run.id)).result, 'pending')
    await completeRun(server, run.id)
    const { result, reasons, counts } = await verdictOf(run.id)
    assert.deepEqual([result, counts.passed], ['fail', 12])
    assert.deepEqual(reasons, [{ code: 'infrastructure', count: 1, detail: '1 of 3 shards did not come' }])
    await send('2/3')
    assert.equal((await verdictOf(run.id)).result, 'pass')
  })

  it('waits again for all shards when the first of them joins a run that another job completed', async () => {
    const { alias, verdictOf } = await open()
    const { run } = await uploadReport(server, [{ name: 'lint' }], { alias, key: 'jobs' })
    await completeRun(server, run.id)
    assert.equal((await verdictOf(run.id)).result, 'pass')
    const first = await uploadReport(server, passing, { alias, key: 'jobs', shard: '1/2' })
    assert.deepEqual([first.run.state, first.run.completedDate], ['open', null])
    assert.equal((await verdictOf(run.id)).result, 'pending')
    const second = await uploadReport(server, passing, { alias, key: 'jobs', shard: '2/2' })
    assert.equal(second.run.state, 'complete')
    assert.equal((await verdictOf(run.id)).result, 'pass')
  })

  it('counts known failures and vanished tests against a build', async () => {
    const { alias, play } = await open()
    const first = await uploadApk(server, { alias, apk: { packageName: `com.example.${alias.replace('-', '')}` } })
    await play([...passing, { name: 'x', failure: 'expected 3' }], { buildId: first.id })
    const second = await uploadApk(server, {
      alias,
      apk: { packageName: `com.example.${alias.replace('-', '')}`, versionCode: 2 },
    })
    await play([...passing.slice(1), { name: 'x', failure: 'expected 3' }], { buildId: second.id })
    const { json } = await server.call('GET', `/v1/builds/${second.id}/verdict`)
    assert.deepEqual(
      Verdict.parse(json).reasons.map(({ code }) => code),
      ['known', 'vanished'],
    )
    const third = await uploadApk(server, {
      alias,
      apk: { packageName: `com.example.${alias.replace('-', '')}`, versionCode: 3 },
    })
    assert.equal((await server.call('GET', `/v1/builds/${third.id}/verdict`)).json.result, 'noTests')
  })

  it('misses tests in a build although the builds before had a run of one test only', async () => {
    const { alias, play } = await open()
    const upload = async (versionCode: number, cases: WrittenCase[]) => {
      const apk = { packageName: `com.example.${alias.replace('-', '')}`, versionCode }
      const build = await uploadApk(server, { alias, apk })
      const { id } = await play(cases, { buildId: build.id })
      const { json } = await server.call('GET', `/v1/builds/${build.id}/verdict`)
      const { reasons, base } = Verdict.parse(json)
      return { id, codes: reasons.map(({ code }) => code), base: base?.runId ?? null }
    }
    const first = await upload(1, passing)
    assert.deepEqual(await upload(2, passing.slice(0, 1)).then(({ codes }) => codes), ['vanished'])
    await upload(3, passing.slice(1, 2))
    const lacking = await upload(4, passing.slice(1))
    assert.deepEqual([lacking.codes, lacking.base], [['vanished'], first.id])
    const more = [...passing, ...passing.map(({ name }) => ({ name: `${name} again` }))]
    const grown = await upload(5, more)
    assert.deepEqual([grown.codes, grown.base], [[], lacking.id])
  })
})
