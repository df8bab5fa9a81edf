import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { listOutcomes, readArchive, readUpload, suite, testcase } from '../../test/read-upload.ts'

const failure = '<failure message="no" type="E">at a.B.one(B.java:7)</failure>'

describe('JUnit XML: cases', () => {
  it('finds cases at any depth, and names suites from outer to inner without the name of testsuites', async () => {
    const nested = `<testsuites name="all"><testsuite name="a"><testsuite name="">
      <testsuite name="b">${testcase('deep')}
      </testsuite></testsuite>${testcase('outer', testcase('inner'))}</testsuite></testsuites>`
    const { cases } = await readUpload(nested)
    assert.deepEqual(
      cases.map(({ suite, name }) => [suite, name]),
      [
        ['a > b', 'deep'],
        ['a', 'inner'],
        ['a', 'outer'],
      ],
    )
  })

  it('counts the cases and ignores the counts that suites announce', async () => {
    const { counts } = await readUpload(
      suite(testcase('one') + testcase('two', failure), 'name="S" tests="-7" failures="x"'),
    )
    assert.deepEqual(counts, { cases: 2, passed: 1, failed: 1, skipped: 0, flaky: 0, attempts: 2 })
  })

  it('says how many tests or failures a report announces beyond those that it holds', async () => {
    const announce = async (attributes: string, cases: string) => (await readUpload(suite(cases, attributes))).unlisted
    assert.equal(await announce('name="S" tests="5"', testcase('one')), 4)
    assert.equal(await announce('name="S" tests="1" failures="0" errors="2"', testcase('one')), 2)
    assert.equal(await announce('name="S" tests="2" failures="1"', testcase('one') + testcase('two', failure)), 0)
    // The totals of Surefire count each attempt, and those of other tools each element of a failure.
    const rerun = testcase('one', `${failure}<rerunFailure/><rerunFailure/>`)
    assert.equal(await announce('name="S" tests="3" failures="3"', rerun), 0)
    const nested = `<testsuite name="T" tests="1">${testcase('two')}</testsuite>`
    assert.equal(await announce('name="S" tests="2"', testcase('one') + nested), 0)
    assert.equal(await announce('name="S" tests="-7" failures="x"', testcase('one')), 0)
  })

  it('takes skipped tests that are announced and left out for no lost ones', async () => {
    const lacking = (name: string, tests: number) =>
      `<testsuite name="${name}" tests="${tests}">${testcase(`${name} one`)}</testsuite>`
    const announce = async (attributes: string, suites: string) =>
      (await readUpload(`<testsuites ${attributes}>${suites}</testsuites>`)).unlisted
    assert.equal(await announce('tests="2" skipped="1"', lacking('a', 2)), 0)
    assert.equal(await announce('tests="4" skipped="1"', lacking('a', 2) + lacking('b', 2)), 1)
    assert.equal(await announce('skipped="1"', lacking('a', 2) + lacking('b', 2)), 1)
    assert.equal(await announce('tests="7" skipped="1"', lacking('a', 7)), 5)
    const held = `<testsuite name="a" tests="3" skipped="1"><testcase name="one"><skipped/></testcase></testsuite>`
    assert.equal(await announce('tests="3" skipped="1"', held), 2)
    assert.equal(await announce('tests="2" failures="1" skipped="1"', lacking('a', 2)), 1)
  })

  it('gives no class and no suite if the report names none', async () => {
    const { cases } = await readUpload('<testsuite name=""><testcase name="x" classname=""/></testsuite>')
    assert.deepEqual([cases[0]?.suite, cases[0]?.class, cases[0]?.file], [null, null, null])
  })

  it('takes the file of the suite for that of its cases, but for those that are known by their own', async () => {
    const names = [
      'name="cart adds a line" classname="adds a line"',
      'name="a" classname="Cart" file="own.js"',
      'name="a"',
      'name="b" classname="b"',
    ]
    const inside = names.map((attributes) => `<testcase ${attributes}/>`).join('')
    const { cases } = await readUpload(`<testsuite name="cart" file="/data/shop/cart.test.js">${inside}</testsuite>`)
    assert.deepEqual(
      cases.map(({ file }) => file),
      ['/data/shop/cart.test.js', 'own.js', null, null],
    )
  })

  it('takes the file from a property of the suite, as WebdriverIO names it, and never for the identity', async () => {
    const read = async (value: string) => {
      const property = `<properties><property name="file" value="${value}"/></properties>`
      const names = ['name="adds" classname="cart"', 'name="adds()" classname="adds"', 'name="loose"']
      const inside = names.map((attributes) => `<testcase ${attributes}/>`).join('')
      const { cases } = await readUpload(`<testsuite name="cart">${value && property}${inside}</testsuite>`)
      return { files: cases.map(({ file }) => file), identities: cases.map(({ identity }) => identity) }
    }
    const bare = await read('')
    assert.deepEqual(await read('file://./e2e/cart.e2e.ts'), { ...bare, files: ['e2e/cart.e2e.ts', null, null] })
    assert.deepEqual((await read('file:///data/shop/cart.js')).files, ['/data/shop/cart.js', null, null])
    assert.deepEqual((await read('/var/log/device.log')).files, [null, null, null])
  })

  it('reads elements with a namespace prefix', async () => {
    const { counts } = await readUpload(
      '<j:testsuites xmlns:j="urn:x"><j:testsuite><j:testcase name="x"><j:failure/></j:testcase>' +
        '</j:testsuite></j:testsuites>',
    )
    assert.equal(counts.failed, 1)
  })

  it('prefers the suite that the caller names to that of the report', async () => {
    const { cases } = await readUpload(suite(testcase('one')), { suite: 'nightly' })
    assert.equal(cases[0]?.suite, 'nightly')
  })
})

describe('JUnit XML: outcomes', () => {
  it('keeps every failure of a case', async () => {
    const { cases } = await readUpload(suite(testcase('one', `${failure}<error message="second"/>`)))
    const failures = cases[0]?.attempts[0]?.failures ?? []
    assert.deepEqual(
      failures.map(({ kind, message }) => [kind, message]),
      [
        ['failure', 'no'],
        ['error', 'second'],
      ],
    )
    assert.deepEqual(failures[0]?.place, { file: 'B.java', line: 7 })
  })

  it('counts a case with both a failure and a skipped element as failed', async () => {
    const { counts } = await readUpload(suite(testcase('one', `<skipped/>${failure}`)))
    assert.equal(counts.failed, 1)
  })

  it('counts a failure as skipped if node:test marks it todo or skipped, or if its status is disabled', async () => {
    const cases = [
      testcase('todo', `<skipped type="todo"/>${failure}`),
      testcase('skip', `<skipped type="skipped"/>${failure}`),
      testcase('disabled', failure, 'status="disabled"'),
    ]
    const { counts } = await readUpload(suite(cases.join('')))
    assert.deepEqual([counts.skipped, counts.failed], [3, 0])
  })

  it('uses the attributes status and result only if they say that the case failed or did not run', async () => {
    const words = ['failed', 'error', 'notrun', 'ignored', 'SUCCESS', 'run', 'completed']
    const { cases } = await readUpload(
      suite(
        [
          ...words.map((word) => testcase(word, '', `status="${word}"`)),
          testcase('suppressed', '', 'result="suppressed"'),
        ].join(''),
      ),
    )
    assert.deepEqual(
      cases.map(({ outcome }) => outcome),
      ['failed', 'failed', 'skipped', 'skipped', 'passed', 'passed', 'passed', 'skipped'],
    )
  })

  it('keeps the reason why a case was skipped', async () => {
    const { cases } = await readUpload(suite(testcase('one', '<skipped message="no camera"/>')))
    assert.equal(cases[0]?.attempts[0]?.failures[0]?.message, 'no camera')
  })
})

describe('JUnit XML: attempts', () => {
  it('orders attempts: flaky failures before the pass, reruns after the failure', async () => {
    const report = await readUpload(
      suite(
        testcase('flaky', '<flakyFailure message="1"/><flakyError message="2"/>') +
          testcase('broken', `${failure}<rerunFailure message="2"/><rerunError message="3"/>`) +
          testcase('only reruns', '<rerunFailure message="2"/>'),
      ),
    )
    assert.deepEqual(listOutcomes(report), [
      'flaky: failed failed passed',
      'broken: failed failed failed',
      'only reruns: failed failed',
    ])
    assert.deepEqual([report.counts.flaky, report.cases[0]?.isFlaky, report.cases[0]?.retryMark], [1, true, 'elements'])
  })

  it('reads the stack trace of a rerun separately from its output', async () => {
    const inner =
      '<rerunFailure><stackTrace>at a.B.one(B.java:9)</stackTrace><system-out>log</system-out></rerunFailure>'
    const { cases, readDetail } = await readUpload(suite(testcase('one', failure + inner)))
    assert.equal(cases[0]?.attempts[1]?.failures[0]?.message, 'at a.B.one(B.java:9)')
    assert.equal(readDetail(cases[0]?.outputs[0]?.details ?? null), 'log')
  })

  it('reads the failures of a case with flaky="true" as failed attempts before a pass', async () => {
    const report = await readUpload(
      suite(testcase('one', failure + failure, 'flaky="true"') + testcase('two', '', 'flaky="true"')),
    )
    assert.deepEqual(listOutcomes(report), ['one: failed failed passed', 'two: failed passed'])
  })

  it('joins rows of one name into cases by their property repetition', async () => {
    const row = (value: string, inner = '') =>
      testcase('one', `${inner}<properties><property name="repetition" value="${value}"/></properties>`)
    const report = await readUpload(
      suite(row('First Run', failure) + row('Retry 1') + row('First Run') + row('Retry 1', failure)),
    )
    assert.deepEqual(listOutcomes(report), ['one: failed passed', 'one #2: passed failed'])
    assert.equal(report.cases[0]?.retryMark, 'repetition')
  })

  it('joins the cases of files whose paths contain attempt-N or rerun_N', async () => {
    const report = await readArchive({
      'out/attempt-2/r.xml': suite(testcase('one')),
      'out/r.xml': suite(testcase('one', failure)),
      'shard_0/phone-12.1-en-portrait-rerun_1/r.xml': suite(testcase('two')),
      'shard_0/phone-12.1-en-portrait/r.xml': suite(testcase('two', failure) + testcase('three')),
    })
    assert.deepEqual(listOutcomes(report), ['one: failed passed', 'two: failed passed', 'three: passed'])
    assert.equal(report.cases[1]?.environment, 'phone-12.1-en-portrait')
    assert.equal(report.cases[1]?.retryMark, 'path')
  })

  it('keeps equal rows without a mark of an attempt as cases #1, #2 …, in one file or several', async () => {
    const report = await readArchive({
      'a.xml': suite(testcase('one', failure) + testcase('one')),
      'b.xml': suite(testcase('one')),
    })
    assert.deepEqual(listOutcomes(report), ['one: failed', 'one #2: passed', 'one #3: passed'])
    assert.equal(new Set(report.cases.map(({ identity }) => identity)).size, 1)
    assert.deepEqual([report.counts.failed, report.counts.flaky], [1, 0])
  })
})

describe('JUnit XML: times, texts, encodings', () => {
  it('reads times in every notation, and no time as null', async () => {
    const times = ['2,120.532', '0,16', '80us', '-1', 'abc', '']
    const { cases } = await readUpload(suite(times.map((time) => `<testcase name="x" time="${time}"/>`).join('')))
    assert.deepEqual(
      cases.map(({ durationMs }) => durationMs),
      [2_120_532, 160, 0.08, null, null, null],
    )
  })

  it('reads UTF-8 with a byte order mark and UTF-16 with and without one', async () => {
    const text = suite(testcase('grüß 日本'))
    const wide = Buffer.from(text.replace('UTF-8', 'UTF-16'), 'utf16le')
    for (const bytes of [Buffer.from(`\ufeff${text}`), wide, Buffer.concat([Buffer.from([0xff, 0xfe]), wide])]) {
      const { cases, warnings } = await readUpload(bytes)
      assert.deepEqual([cases[0]?.name, warnings], ['grüß 日本', []])
    }
  })

  it('replaces invalid bytes by U+FFFD and warns', async () => {
    const { cases, warnings } = await readUpload(Buffer.from(suite(testcase('grün')), 'latin1'))
    assert.deepEqual([cases[0]?.name, warnings[0]?.code], ['gr\ufffdn', 'badEncoding'])
  })

  it('removes terminal colours, replaces forbidden characters by U+FFFD and warns', async () => {
    const inner = '<failure message="&#27;[31mred&#27;[0m &#0;">\u001b[1mbold\u0008</failure>'
    const { cases, warnings } = await readUpload(suite(testcase('one', inner)))
    assert.deepEqual(
      [cases[0]?.attempts[0]?.failures[0]?.message, warnings.map(({ code }) => code)],
      ['red \ufffd', ['forbiddenCharacters']],
    )
  })

  it('leaves a reference to an undeclared or declared entity as it is written, and warns', async () => {
    const doctype = '<!DOCTYPE testsuite [<!ENTITY own SYSTEM "file:///etc/passwd">]>'
    const { cases, warnings } = await readUpload(
      `${doctype}<testsuite name="S"><testcase name="a&nbsp;b &own; &constructor;"/></testsuite>`,
    )
    assert.deepEqual([cases[0]?.name, warnings[0]?.code], ['a&nbsp;b &own; &constructor;', 'entity'])
  })

  it('gives the right line of a fault after texts and CDATA sections', async () => {
    const text = `<testsuite>\n<testcase name="a">\n<system-out>x\ny<![CDATA[\n\n]]></system-out></testcase>\n</oops>`
    await assert.rejects(readUpload(text), { code: 'malformed', line: 7 })
  })

  it('reads CDATA and text the same wherever the pieces of the stream are cut', async () => {
    const body = `a]]b]]]><![CDATA[c]d]]]]><![CDATA[>e &amp; <x/>]]>f &lt; g`.replace('a]]b]]]>', 'a]]b')
    for (let pad = 0; pad < 40; pad++) {
      const filler = ' '.repeat(131_072 - 160 - pad)
      const inner = `<failure>${body}${body}${body}</failure>`
      const text = `<testsuite><!--${filler}--><testcase name="a">${inner}</testcase></testsuite>`
      const { cases } = await readUpload(text)
      assert.equal(cases[0]?.attempts[0]?.failures[0]?.message, 'a]]bc]d]]>e &amp; <x/>f < g'.repeat(3))
    }
  })

  it('cuts a name to 1,000 characters with a warning, and computes the identity from the whole name', async () => {
    const long = 'n'.repeat(2_000)
    const { cases, warnings } = await readUpload(suite(testcase(`${long}a`) + testcase(`${long}b`)))
    assert.deepEqual([cases[0]?.name.length, cases[0]?.name === cases[1]?.name], [1_000, true])
    assert.notEqual(cases[0]?.identity, cases[1]?.identity)
    assert.equal(warnings[0]?.code, 'nameCut')
  })

  it('keeps 4 KiB of a message and the whole text in the details', async () => {
    const long = 'ü'.repeat(10_000)
    const { cases, readDetail } = await readUpload(suite(testcase('one', `<failure>${long}</failure>`)))
    const [found] = cases[0]?.attempts[0]?.failures ?? []
    assert.ok(Buffer.byteLength(found?.message ?? '') <= 4096 && (found?.message ?? '').length > 2_000)
    assert.equal(readDetail(found?.details ?? null), long)
  })

  it('keeps the first and the last MiB of an output', async () => {
    const output = `first${'x'.repeat(3_000_000)}last`
    const { cases, readDetail } = await readUpload(suite(testcase('one', `<system-out>${output}</system-out>`)))
    const text = readDetail(cases[0]?.outputs[0]?.details ?? null)
    assert.ok(text.startsWith('first') && text.endsWith('last'))
    assert.match(text, /\n\[… 902857 characters left out …\]\n/)
    assert.ok(text.length < 2_100_000)
  })
})

describe('JUnit XML: environments and suites by path', () => {
  it('reads the device from a property or an attribute, even after the cases', async () => {
    const property = '<properties><property name="device" value="Pixel 8"/></properties>'
    const agp = await readUpload(suite(property + testcase('one')))
    const trainer = await readUpload(suite(`<testsuite name="in">${testcase('one')}</testsuite>${property}`))
    const maestro = await readUpload(suite(testcase('one'), 'name="S" device="0A13"'))
    assert.deepEqual(
      [agp, trainer, maestro].map(({ cases }) => cases[0]?.environment),
      ['Pixel 8', 'Pixel 8', '0A13'],
    )
  })

  it('reads the device of Test Lab from the path', async () => {
    const { cases } = await readArchive({ 'run/NexusLowRes-28-en-portrait/r.xml': suite(testcase('one')) })
    assert.equal(cases[0]?.environment, 'NexusLowRes-28-en-portrait')
  })

  it('names the suite after the Gradle task, which distinguishes debug from release', async () => {
    const paths = {
      'lib/core/build/test-results/testDebugUnitTest/TEST-a.xml': ':lib:core:testDebugUnitTest',
      'build/test-results/test/TEST-a.xml': ':test',
      'app/build/outputs/androidTest-results/connected/debug/TEST-a.xml': ':app:connectedDebugAndroidTest',
      'app/build/outputs/androidTest-results/connected/TEST-a.xml': ':app:connectedAndroidTest',
      'other/TEST-a.xml': 'S',
    }
    for (const [path, expected] of Object.entries(paths)) {
      const { cases } = await readArchive({ [path]: suite(testcase('one')) })
      assert.equal(cases[0]?.suite, expected)
    }
  })
})

describe('JUnit XML: attachments', () => {
  it('finds attachments of markers, properties and data URIs, files only inside the archive', async () => {
    const inner = `<properties><property name="attachment1" value="C:\\ci\\shots\\a.png"/>
      <property name="attachment" value="data:text/plain;base64,SGk="/></properties>
      <system-out>[[ATTACHMENT|/etc/passwd]] [[ATTACHMENT|/ci/other/b.txt]]</system-out>`
    const report = await readArchive({
      'r/TEST-a.xml': suite(testcase('one', inner)),
      'r/shots/a.png': 'right',
      'r/a.png': 'wrong',
      'r/x/other/b.txt': 'b',
    })
    const attachments = report.cases[0]?.attachments ?? []
    assert.deepEqual(
      attachments.map(({ file }) => (file === null ? null : report.readAttachment(file))),
      ['right', 'Hi', null, 'b'],
    )
    assert.equal(report.warnings[0]?.code, 'attachmentMissing')
  })

  it('takes no file for a report that a report names in any way that it can be written', async () => {
    const inner = suite(testcase('inner', failure), 'name="inner"')
    const property = (attributes: string, text = '') =>
      `<properties><property ${attributes}>${text}</property></properties>`
    const output = (path: string) => `<system-out>[[ATTACHMENT|${path}]]</system-out>`
    const ways = {
      'a path of Windows': output(String.raw`C:\work\out\inner.xml`),
      'a path of Windows in CDATA': `<system-out><![CDATA[[[ATTACHMENT|..\\out\\inner.xml]]]]></system-out>`,
      'character references': output('out/&#105;nne&#x72;.xml'),
      'a property': property('name="attachment" value="inner.xml"'),
      'a property whose value comes first': property('value="inner.xml" name="attachment"'),
      'a property in single quotes': property("name='Attachment 1' value='inner.xml'"),
      'a property over several lines': property('\n name="attachment:log"\n value="inner.xml"\n'),
      'the text of a property': property('name="attachment"', 'inner.xml'),
    }
    const listNames = async (report: string | Buffer) => {
      const { cases } = await readArchive({ 'report.xml': report, 'out/inner.xml': inner })
      return cases.map(({ name }) => name)
    }
    for (const [way, text] of Object.entries(ways)) {
      assert.deepEqual(await listNames(suite(testcase('outer', text))), ['outer'], way)
    }
    const wide = `<?xml version="1.0" encoding="UTF-16"?>${suite(testcase('outer', output('out/inner.xml')))}`
    assert.deepEqual(await listNames(Buffer.from(`\uFEFF${wide}`, 'utf16le')), ['outer'])
    for (let before = 65_500; before < 65_560; before += 3) {
      const text = `<system-out>${'x'.repeat(before)}[[ATTACHMENT|out/inner.xml]]</system-out>`
      assert.deepEqual(await listNames(suite(testcase('outer', text))), ['outer'], String(before))
    }
    const path = String.raw`out\/\u0069nner.xml`
    const ctrf = `{"results":{"tests":[{"name":"outer","status":"passed","attachments":[{"path":"${path}"}]}]}}`
    const { cases } = await readArchive({ 'ctrf.json': ctrf, 'out/inner.xml': inner })
    assert.deepEqual(
      cases.map(({ name }) => name),
      ['outer'],
    )
  })

  it('gives the attachments of rows that are attempts of one case to those attempts', async () => {
    const attempt = (name: string, failure = '') => {
      const property = `<properties><property name="repetition" value="${name}"/></properties>`
      return testcase('one', `${property}${failure}<system-out>[[ATTACHMENT|${name}.png]]</system-out>`)
    }
    const report = await readArchive({
      'r/TEST-a.xml': suite(attempt('first', '<failure message="no"/>') + attempt('second')),
      'r/first.png': '1',
      'r/second.png': '2',
    })
    assert.deepEqual(
      report.cases.flatMap(({ attachments }) => attachments.map((one) => [one.name, one.attempt])),
      [
        ['first.png', 1],
        ['second.png', 2],
      ],
    )
  })

  it('attaches the logcat that AGP writes for a case', async () => {
    const report = await readArchive({
      'app/build/outputs/androidTest-results/connected/debug/TEST-x.xml': suite(testcase('one')),
      'app/build/outputs/androidTest-results/connected/debug/Pixel/logcat-a.B-one.txt': 'log',
      'app/build/outputs/androidTest-results/connected/debug/Pixel/testlog/test-results.log':
        'INSTRUMENTATION_STATUS: class=a.B\nINSTRUMENTATION_STATUS: test=one\nINSTRUMENTATION_STATUS_CODE: 0\n',
    })
    assert.equal(report.readAttachment(report.cases[0]?.attachments[0]?.file ?? null), 'log')
    assert.equal(report.counts.cases, 1)
  })

  it('finds a marker in the middle of an output that is too long to keep', async () => {
    const middle = `${'x'.repeat(2_000_000)}[[ATTACHMENT|b.txt]]${'x'.repeat(2_000_000)}`
    const { cases } = await readUpload(suite(testcase('one', `<system-out>${middle}</system-out>`)))
    assert.equal(cases[0]?.attachments[0]?.path, 'b.txt')
  })
})

describe('JUnit XML: reports without cases', () => {
  it('warns of a report without cases', async () => {
    const { counts, warnings, isInfrastructureFailure } = await readUpload('<testsuites/>')
    assert.deepEqual([counts.cases, warnings[0]?.code, isInfrastructureFailure], [0, 'noCases', false])
  })

  it('reports a process that crashed before the first test as a failure of the infrastructure', async () => {
    const { warnings, isInfrastructureFailure } = await readUpload(
      '<testsuite tests="0"><system-err>Process crashed while executing the test(s)</system-err></testsuite>',
    )
    assert.ok(isInfrastructureFailure && warnings.some(({ code }) => code === 'processCrashed'))
  })
})
