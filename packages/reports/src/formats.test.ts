import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { writeZip } from '@fairlead/binary/fixture'
import { gzipSync } from 'node:zlib'
import { pack } from 'tar-stream'
import { listOutcomes, readArchive, readUpload, suite, testcase } from '../test/read-upload.ts'

const good = suite(testcase('one') + testcase('two', '<failure message="m"/>'))

function ctrf(...tests: object[]): string {
  return JSON.stringify({ results: { tool: { name: 'x' }, tests } })
}

function allure(fields: object): string {
  return JSON.stringify({ uuid: 'u', name: 'n', fullName: 'a.B.n', status: 'passed', start: 1, stop: 3, ...fields })
}

async function writeTar(files: Record<string, string>): Promise<Buffer> {
  const tar = pack()
  tar.entry({ name: 'link', type: 'symlink', linkname: '/etc/passwd' })
  for (const [name, data] of Object.entries(files)) tar.entry({ name }, data)
  tar.finalize()
  return Buffer.concat(await Array.fromAsync(tar))
}

describe('CTRF', () => {
  it('says how many tests or failures its summary announces beyond those that it lists', async () => {
    const announce = async (summary: object, ...tests: object[]) =>
      (await readUpload(JSON.stringify({ results: { tool: { name: 'x' }, summary, tests } }))).unlisted
    const passed = { name: 'a', status: 'passed' }
    assert.equal(await announce({ tests: 3, failed: 1 }, passed), 2)
    assert.equal(await announce({ tests: 1, failed: 1 }, passed), 1)
    assert.equal(await announce({ tests: 3, failed: 2 }, { ...passed, retries: 2 }), 0)
    assert.equal(await announce({ tests: 'many', failed: -3 }, passed), 0)
  })

  it('reads suites, files and outputs, and attempts with and without the last one', async () => {
    const failed = { attempt: 1, status: 'failed', duration: 2, message: 'no' }
    const report = await readUpload(
      ctrf(
        {
          name: 'a',
          status: 'passed',
          duration: 5,
          suite: ['x', 'y'],
          filePath: 'a.ts',
          retries: 1,
          retryAttempts: [failed],
        },
        {
          name: 'b',
          status: 'passed',
          suite: 'x',
          retries: 1,
          retryAttempts: [failed, { ...failed, status: 'passed' }],
        },
        { name: 'c', status: 'failed', retries: 2, message: 'm', trace: 'at f (src/c.ts:3:1)', stdout: ['1', '2'] },
        { name: 'd', status: 'passed', flaky: true },
      ),
    )
    assert.deepEqual(listOutcomes(report), [
      'a: failed passed',
      'b: failed passed',
      'c: failed failed failed',
      'd: failed passed',
    ])
    const [a, , c] = report.cases
    assert.deepEqual([a?.suite, a?.class, a?.file, a?.durationMs], ['x > y', null, 'a.ts', 5])
    assert.deepEqual(c?.attempts[2]?.failures[0]?.place, { file: 'src/c.ts', line: 3 })
    assert.equal(report.readDetail(c?.outputs[0]?.details ?? null), '1\n2')
  })

  it('maps pending to skipped, other to skipped with a warning, and unknown words to a failure', async () => {
    for (const [status, outcome, warning] of [
      ['pending', 'skipped', undefined],
      ['other', 'skipped', 'unknownStatus'],
      ['exploded', 'failed', 'unknownStatus'],
    ]) {
      const { cases, warnings } = await readUpload(ctrf({ name: 'a', status }))
      assert.deepEqual([cases[0]?.outcome, warnings[0]?.code], [outcome, warning])
    }
  })

  it('refuses tests without a name or a status', async () => {
    await assert.rejects(readUpload(ctrf({ status: 'passed' })), { code: 'malformed' })
    await assert.rejects(readUpload(ctrf({ name: 'a', status: 1 })), { code: 'malformed' })
  })

  it('reports the line at which JSON is truncated', async () => {
    await assert.rejects(readUpload('{"results":\n{"tests":\n[{'), { code: 'malformed', line: 3 })
  })
})

describe('Allure', () => {
  it('joins results with equal full names and parameters, ordered by their start', async () => {
    const [p1, p2] = [
      { name: 'p', value: '1' },
      { name: 't', value: '9', excluded: true },
    ]
    const report = await readArchive({
      'r/b-result.json': allure({ parameters: [p1, p2], start: 10, stop: 14 }),
      'r/a-result.json': allure({ parameters: [p1], status: 'broken', statusDetails: { message: 'no' } }),
      'r/c-result.json': allure({ parameters: [{ name: 'p', value: '2' }], status: 'unknown' }),
      'r/x-container.json': JSON.stringify({ uuid: 'x', children: ['u'] }),
    })
    assert.deepEqual(listOutcomes(report), ['n: failed passed', 'n: skipped'])
    assert.deepEqual([report.cases[0]?.durationMs, report.cases[0]?.parameters], [4, 'p: 1'])
    assert.equal(report.warnings[0]?.code, 'unknownStatus')
  })

  it('takes suite and class from labels, and finds the attachments of steps', async () => {
    const labels = ['parentSuite', 'suite', 'subSuite', 'testClass'].map((name) => ({ name, value: name.slice(0, 2) }))
    const steps = [
      { name: 's', steps: [{ name: 't', attachments: [{ name: 'log', source: 'l.txt', type: 'text/plain' }] }] },
    ]
    const report = await readArchive({ 'r/a-result.json': allure({ labels, steps }), 'r/l.txt': 'log' })
    const [one] = report.cases
    assert.deepEqual([one?.suite, one?.class], ['pa > su > su', 'te'])
    assert.equal(report.readAttachment(one?.attachments[0]?.file ?? null), 'log')
  })

  it('gives each attachment to the attempt whose result names it', async () => {
    const shot = (source: string) => ({ attachments: [{ name: source, source }] })
    const report = await readArchive({
      'r/a-result.json': allure({ start: 5, ...shot('late.png') }),
      'r/b-result.json': allure({ status: 'failed', ...shot('early.png') }),
      'r/late.png': 'x',
      'r/early.png': 'y',
    })
    assert.deepEqual(
      report.cases[0]?.attachments.map(({ name, attempt }) => [name, attempt]),
      [
        ['early.png', 1],
        ['late.png', 2],
      ],
    )
  })
})

describe('xcresulttool', () => {
  const node = (nodeType: string, name: string, fields: object = {}, children: object[] = []) => {
    return { nodeType, name, children, ...fields }
  }
  it('makes a case of each set of arguments, and attempts of repetitions', async () => {
    const repetition = (result: string, duration: string) => node('Repetition', 'Retry', { result, duration })
    const tree = {
      testNodes: [
        node('Unit test bundle', 'AppTests', {}, [
          node('Test Suite', 'Cart', {}, [
            node('Test Case', 'adds', { nodeIdentifier: 'Cart/Inner/adds()', result: 'Passed' }, [
              node('Arguments', '1', { result: 'Passed' }, [
                repetition('Failed', '0,5s'),
                repetition('Passed', '1m 2s'),
              ]),
              node('Arguments', '2', { result: 'Expected Failure' }),
            ]),
          ]),
        ]),
      ],
    }
    const report = await readUpload(JSON.stringify(tree))
    assert.deepEqual(listOutcomes(report), ['adds(): failed passed', 'adds(): passed'])
    const [one] = report.cases
    assert.deepEqual(
      [one?.suite, one?.class, one?.parameters, one?.durationMs],
      ['AppTests', 'Cart/Inner', '1', 62_000],
    )
  })

  it('reads the failed tests of a summary, and warns that it is incomplete', async () => {
    const failure = { testIdentifierString: 'Cart/adds()', targetName: 'AppTests', failureText: 'A.swift:3: no' }
    const { cases, warnings } = await readUpload(JSON.stringify({ totalTestCount: 9, testFailures: [failure] }))
    assert.deepEqual([cases[0]?.class, cases[0]?.outcome, warnings[0]?.code], ['Cart', 'failed', 'summaryOnly'])
  })
})

describe('am instrument', () => {
  const block = (test: string, code: number, extra = '') =>
    ['class=a.B', `test=${test}`, 'numtests=4'].map((value) => `INSTRUMENTATION_STATUS: ${value}\n`).join('') +
    `${extra}INSTRUMENTATION_STATUS_CODE: ${code}\n`

  it('reads started and finished tests, values of several lines, and tests that did not finish', async () => {
    const stack = 'INSTRUMENTATION_STATUS: stack=java.lang.Error: no\n\tat a.B.two(B.kt:4)\n'
    const log = [
      block('one', 1),
      block('one', 0),
      block('two', 1),
      block('two', -2, stack),
      block('three', -3),
      block('four', 1),
    ]
    const report = await readUpload(log.join(''))
    assert.deepEqual(listOutcomes(report), ['one: passed', 'two: failed', 'three: skipped', 'four: failed'])
    assert.deepEqual(report.cases[1]?.attempts[0]?.failures[0]?.place, { file: 'B.kt', line: 4 })
    assert.deepEqual(
      report.warnings.map(({ code }) => code),
      ['unended'],
    )
  })

  it('counts a crash before the first test as a failure of the infrastructure', async () => {
    const { isInfrastructureFailure } = await readUpload(
      'INSTRUMENTATION_RESULT: shortMsg=Process crashed.\nINSTRUMENTATION_CODE: 0\n',
    )
    assert.ok(isInfrastructureFailure)
  })
})

describe('an archive', () => {
  it('is a zip, a tar or a gzip of one; links are skipped', async () => {
    const tar = await writeTar({ 'r/a.xml': good, 'notes.txt': 'x' })
    for (const bytes of [writeZip([{ name: 'r/a.xml', data: Buffer.from(good) }]), tar, gzipSync(tar)]) {
      const { counts, format, files } = await readUpload(bytes)
      assert.deepEqual([counts.cases, format, files[0]?.source], [2, 'archive', 'r/a.xml'])
    }
    assert.equal((await readUpload(gzipSync(good))).format, 'junit')
  })

  it('is refused if a report is broken, with its path and line', async () => {
    await assert.rejects(readArchive({ 'a.xml': good, 'b.xml': `${good.slice(0, 80)}\n` }), {
      source: 'b.xml',
      line: 3,
    })
  })

  it('keeps the other reports if broken ones may be skipped', async () => {
    const files = { 'a.xml': good, 'b.xml': suite(testcase('lost')).slice(0, -20), 'c.json': '{"results":{"tests":5}}' }
    const { counts, warnings, isIncomplete } = await readArchive(files, { skipBroken: true })
    assert.deepEqual([counts.cases, isIncomplete], [2, true])
    assert.deepEqual(
      warnings.map(({ code, file }) => [code, file]),
      [
        ['brokenFile', 'b.xml'],
        ['brokenFile', 'c.json'],
      ],
    )
  })

  it('may contain other files, intact or broken, beside its reports', async () => {
    const { counts } = await readArchive({ 'a.xml': good, 'b.json': '{"half":', 'c.html': '<html>', 'd.txt': '[ok]' })
    assert.equal(counts.cases, 2)
  })

  it('without a report is refused', async () => {
    await assert.rejects(readArchive({ 'a.txt': 'hello' }), { code: 'no-report' })
  })

  it('is refused with the command to run if a result bundle has no database', async () => {
    const files = { 'T.xcresult/Info.plist': '<plist/>', 'T.xcresult/Data/data.0~abc': 'x' }
    await assert.rejects(readArchive(files), { code: 'no-database', message: /xcrun xcresulttool/ })
  })
})

describe('an unsupported format', () => {
  const formats = {
    TRX: '<TestRun xmlns="urn:x"/>',
    NUnit: '<?xml version="1.0"?><!-- [a] --><test-run/>',
    'xUnit.net': '<assemblies/>',
    TestNG: '<testng-results/>',
    Playwright: '{"config":{},"suites":[]}',
    Jest: '{"numTotalTests":1,"testResults":[]}',
  }
  for (const [name, text] of Object.entries(formats)) {
    it(`is refused by its name: ${name}`, async () => {
      await assert.rejects(readUpload(text), {
        code: 'unsupported-report',
        message: new RegExp(`${name}.*(JUnit|CTRF)`, 's'),
      })
    })
  }

  it('gives a warning if there are other reports', async () => {
    const { counts, warnings } = await readArchive({ 'a.xml': good, 'b.trx': formats.TRX })
    assert.deepEqual([counts.cases, warnings[0]?.code], [2, 'unsupportedReport'])
  })
})
