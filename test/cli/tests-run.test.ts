import assert from 'node:assert/strict'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { type Desk, openDesk, type RunOptions } from './fairlead.ts'
import { toReport } from './test-report.ts'

describe('fairlead tests run', { timeout: 300_000 }, () => {
  let desk: Desk
  before(async () => {
    desk = await openDesk()
    await mkdir(join(desk.folder, 'build/test-results'), { recursive: true })
    await desk.json('apps', 'create', 'shop', '--platform', 'android')
  })
  after(() => desk[Symbol.asyncDispose]())

  /** Writes a program that writes a report and ends with a code, and returns the command that runs it. */
  const toCommand = async (
    xml: string | null,
    code: number,
    { path = 'build/test-results/TEST-cart.xml', output = 'tests ran' } = {},
  ) => {
    const writing =
      xml === null ? '' : `require('node:fs').writeFileSync(${JSON.stringify(path)}, ${JSON.stringify(xml)})`
    await writeFile(join(desk.folder, 'tests.cjs'), `${writing}\nconsole.log('${output}')\nprocess.exit(${code})\n`)
    return ['--', process.execPath, 'tests.cjs']
  }
  const run = (words: string[], options?: RunOptions) =>
    desk.fairlead(['tests', 'run', '--app', 'shop', ...words], options)
  const nothingRemembered = async () => assert.deepEqual(await desk.json('tests', 'quarantine', '--app', 'shop'), [])

  it('passes the output on, uploads what the command wrote, and ends with 0 when the tests pass', async () => {
    const command = await toCommand(toReport(['adds']), 0)
    const { code, stdout, stderr } = await run(['--branch', 'main', '--run-key', 'first', ...command])
    assert.deepEqual([code, stdout], [0, 'tests ran\n'], stderr)
    assert.match(stderr, /^Verdict +pass$/m)
    const [listed] = await desk.json('tests', 'runs', '--app', 'shop', '--run-key', 'first')
    assert.deepEqual([listed.state, listed.counts.passed, listed.branch], ['complete', 1, 'main'])
  })

  it('ends with 1 when a test fails, even if the command does not, and prints JSON alone on request', async () => {
    const failing = toReport(['adds'], ['removes', 'expected 1'])
    const failed = await run(await toCommand(failing, 3))
    assert.deepEqual([failed.code, failed.stdout], [1, 'tests ran\n'], failed.stderr)
    assert.match(failed.stderr, /^new\tshop\.CartTest\.removes\texpected 1$/m)
    const { code, stdout, stderr } = await run(['--json', ...(await toCommand(failing, 0))])
    assert.equal(code, 1)
    const { command, run: judged, verdict, failures } = JSON.parse(stdout)
    assert.deepEqual([command.code, judged.counts.failed, verdict.result, failures.length], [0, 1, 'fail', 1])
    assert.match(stderr, /^tests ran$/m)
  })

  it('ends with 0 when only quarantined tests failed, and with 1 again after the quarantine', async () => {
    await nothingRemembered()
    const name = 'shop.CartTest.removes'
    const unexplained = await desk.fairlead(['tests', 'quarantine', 'add', name, '--app', 'shop'])
    assert.equal(unexplained.code, 2, unexplained.stderr)
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString()
    const flags = ['--app', 'shop', '--reason', 'times out', '--until', tomorrow]
    const added = await desk.fairlead(['tests', 'quarantine', 'add', name, ...flags])
    assert.match(added.stdout, /^Quarantined shop\.CartTest\.removes until /, added.stderr)
    const [listed] = await desk.json('tests', 'quarantine', 'list', '--app', 'shop')
    assert.deepEqual([listed.quarantine.reason, listed.quarantine.expirationDate], ['times out', tomorrow])
    const command = await toCommand(toReport(['adds'], ['removes', 'expected 1']), 3)
    const excused = await run(command)
    assert.equal(excused.code, 0, excused.stderr)
    assert.match(excused.stderr, /The command ended with 3, but no test failed that counts/)
    const removed = await desk.fairlead(['tests', 'quarantine', 'remove', String(listed.id), '--app', 'shop'])
    assert.equal(removed.stdout, `Ended the quarantine of ${name}\n`)
    await nothingRemembered()
    assert.equal((await run(command)).code, 1)
    const again = await desk.fairlead(['tests', 'quarantine', 'remove', name, '--app', 'shop'])
    assert.deepEqual([again.code, /is not quarantined/.test(again.stderr)], [5, true])
  })

  it('keeps the exit code of the command when the reports announce more than they hold', async () => {
    const quarantined = 'shop.CartTest.removes'
    assert.equal((await run(await toCommand(toReport(['adds'], ['removes', 'expected 1']), 3))).code, 1)
    await desk.fairlead(['tests', 'quarantine', 'add', quarantined, '--app', 'shop', '--reason', 'times out'])
    const whole = toReport(['adds'], ['removes', 'expected 1'])
    const short = whole.replace('<testsuite ', '<testsuite tests="2" failures="1" errors="1" ')
    const { code, stderr } = await run(await toCommand(short, 3))
    assert.deepEqual(
      [code, /announce more tests or failures than they hold \(1 more\)/.test(stderr)],
      [3, true],
      stderr,
    )
    assert.equal((await run(await toCommand(short.replace('errors="1" ', ''), 3))).code, 0)
    await desk.fairlead(['tests', 'quarantine', 'remove', quarantined, '--app', 'shop'])
  })

  it('refuses a quarantine of more than 14 days and an unknown test, and names tests that are similar', async () => {
    const flags = ['--app', 'shop', '--reason', 'slow', '--until', '2090-01-31']
    const long = await desk.fairlead(['tests', 'quarantine', 'add', 'shop.CartTest.removes', ...flags])
    assert.deepEqual([long.code, /within 14 days/.test(long.stderr)], [6, true], long.stderr)
    const unknown = await desk.fairlead(['tests', 'quarantine', 'add', 'removes', ...flags])
    assert.equal(unknown.code, 5)
    assert.match(unknown.stderr, /There are: shop\.CartTest\.removes/)
  })

  it('judges what its own job sent, and not what another job of the same run did', async () => {
    const key = ['--run-key', 'pipeline', '--branch', 'topic']
    const failing = await run([...key, ...(await toCommand(toReport(['opens', 'expected 9']), 1))])
    assert.equal(failing.code, 1)
    const good = await run([...key, ...(await toCommand(toReport(['closes']), 0))])
    assert.equal(good.code, 0, good.stderr)
    assert.match(good.stderr, /^Verdict +pass$/m)
    assert.doesNotMatch(good.stderr, /expected 9/)
    const [listed] = await desk.json('tests', 'runs', '--app', 'shop', '--run-key', 'pipeline')
    assert.deepEqual([listed.counts.passed, listed.counts.failed], [1, 1])
    const whole = await desk.fairlead(['tests', 'verdict', String(listed.id), '--app', 'shop'])
    assert.equal(whole.code, 1, whole.stderr)
    const again = await run([...key, ...(await toCommand(toReport(['opens', 'expected 9']), 1))])
    assert.equal(again.code, 1, 'the same bytes are the same report')
  })

  it('counts failures that the base has as well, unless they are allowed', async () => {
    const failing = toReport(['adds'], ['sorts', 'expected 2'])
    assert.equal((await run(['--branch', 'main', ...(await toCommand(failing, 1))])).code, 1)
    const known = await run(await toCommand(failing, 1))
    assert.deepEqual([known.code, /as they do at the base/.test(known.stderr)], [1, true], known.stderr)
    assert.equal((await run(['--allow-known', ...(await toCommand(failing, 1))])).code, 0)
  })

  it('keeps the exit code of a command that failed for another reason than its tests', async () => {
    const good = toReport(['adds'])
    const build = await run(await toCommand(good, 65))
    assert.deepEqual([build.code, /none of the tests in its reports did/.test(build.stderr)], [65, true])
    assert.equal((await run(await toCommand(null, 66))).code, 66)
    const missing = await run([
      '--report',
      'a.xml',
      '--report',
      'b.xml',
      ...(await toCommand(good, 67, { path: 'a.xml' })),
    ])
    assert.deepEqual([missing.code, /no report at b\.xml/.test(missing.stderr)], [67, true])
  })

  it('says that a program was not found or is no program, and leaves a failed run', async () => {
    const absent = await run(['--run-key', 'absent', '--', 'no-such-command', '--all'])
    assert.equal(absent.code, 127)
    assert.match(absent.stderr, /The program no-such-command was not found\n/)
    assert.match(absent.stderr, /PATH/)
    const [left] = await desk.json('tests', 'runs', '--app', 'shop', '--run-key', 'absent')
    assert.deepEqual([left.state, left.result, left.counts.cases], ['complete', 'fail', 0])
    const joined = await run(['--', 'npm test'])
    assert.deepEqual([joined.code, /without quotation marks/.test(joined.stderr)], [127, true], joined.stderr)
    await writeFile(join(desk.folder, 'notes.txt'), 'no program')
    const notes = await run(['--', './notes.txt'])
    assert.deepEqual([notes.code, /\.\/notes\.txt may not be run/.test(notes.stderr)], [126, true], notes.stderr)
    const away = await run(['--', 'no-such-command'], { env: { FAIRLEAD_URL: 'http://127.0.0.1:1' } })
    assert.deepEqual([away.code, /was not found/.test(away.stderr)], [127, true], away.stderr)
  })

  it('keeps the exit code if tests are missing or the output names another error', async () => {
    const parked: [string, string] = ['parked', 'no paper']
    const whole = toReport(['adds'], parked, ['reads'])
    const flags = ['--branch', 'main', '--app', 'shop']
    assert.equal((await run(['--branch', 'main', ...(await toCommand(whole, 1))])).code, 1)
    const name = 'shop.CartTest.parked'
    await desk.fairlead(['tests', 'quarantine', 'add', name, ...flags.slice(2), '--reason', 'no printer'])
    assert.equal((await run(await toCommand(whole, 1))).code, 0)
    const missing = await run(await toCommand(toReport(['adds'], parked), 7))
    assert.deepEqual(
      [missing.code, /did not run: shop\.CartTest\.reads/.test(missing.stderr)],
      [7, true],
      missing.stderr,
    )
    const unhandled = await run(await toCommand(whole, 8, { output: 'Unhandled Errors' }))
    assert.deepEqual([unhandled.code, /an error outside of tests/.test(unhandled.stderr)], [8, true], unhandled.stderr)
    await desk.fairlead(['tests', 'quarantine', 'remove', name, '--app', 'shop'])
  })

  it('leaves a failed run when the command fails before it writes a report', async () => {
    assert.equal((await run(['--run-key', 'crashed', ...(await toCommand(null, 66))])).code, 66)
    const [crashed] = await desk.json('tests', 'runs', '--app', 'shop', '--run-key', 'crashed')
    assert.deepEqual([crashed.state, crashed.result, crashed.counts.cases], ['complete', 'fail', 0])
  })

  it('takes no report of an earlier run, and ends with 4 when a command that succeeds wrote none', async () => {
    await writeFile(join(desk.folder, 'build/test-results/TEST-old.xml'), toReport(['old', 'failed last week']))
    const none = await run(await toCommand(null, 0))
    assert.deepEqual([none.code, /wrote no test report/.test(none.stderr)], [4, true], none.stderr)
    assert.equal((await run(await toCommand(toReport(['adds']), 0))).code, 0)
    assert.equal((await run(await toCommand('<testsuite name="empty"></testsuite>', 0))).code, 4)
    const lost = toReport(['adds', 'device emulator-5554 not found'])
    assert.equal((await run(await toCommand(lost, 1))).code, 5)
  })

  it('keeps the exit code of the command when the server is away or no token is set', async () => {
    const good = await toCommand(toReport(['adds']), 0)
    const { code, stderr } = await run(good, { env: { FAIRLEAD_TOKEN: '' } })
    assert.deepEqual([code, /warning: There is no verdict: No token is set/.test(stderr)], [0, true], stderr)
    const failing = await toCommand(toReport(['adds', 'expected 1']), 9)
    assert.equal((await run(failing, { env: { FAIRLEAD_URL: 'http://127.0.0.1:1' } })).code, 9)
  })

  it('ends with 3 when the server refuses, if the command succeeded', async () => {
    const good = await toCommand(toReport(['adds']), 0)
    assert.equal((await run(good, { env: { FAIRLEAD_TOKEN: 'fl_wrong' } })).code, 3)
    const unknown = ['tests', 'run', '--app', 'shpo', ...good]
    assert.equal((await desk.fairlead(unknown)).code, 3)
    const failing = await toCommand('<testsuite><testcase', 9)
    const broken = await run(failing)
    assert.deepEqual([broken.code, /There is no verdict/.test(broken.stderr)], [9, true], broken.stderr)
  })

  it('waits for the other shards, and completes no run that other jobs add to', async () => {
    const good = await toCommand(toReport(['adds']), 0)
    const part = await run(['--shard', '1/2', '--run-key', 'parts', '--wait', '0s', ...good])
    assert.deepEqual([part.code, /not complete/.test(part.stderr)], [0, true], part.stderr)
    assert.equal((await run(['--shard', '2/2', '--run-key', 'parts', ...good])).code, 0)
    assert.equal((await run(['--keep-open', '--run-key', 'open', ...good])).code, 0)
    const [open] = await desk.json('tests', 'runs', '--app', 'shop', '--run-key', 'open')
    assert.equal(open.state, 'open')
  })

  it('forwards signals to the command, and sends no report of an interrupted one', async () => {
    const script = `process.on('SIGTERM', () => process.exit(42)); console.error('ready'); setInterval(() => {}, 1000)`
    await writeFile(join(desk.folder, 'waits.cjs'), script)
    let isSent = false
    const { code, stderr } = await run(['--', process.execPath, 'waits.cjs'], {
      onStderr: (child, text) => {
        if (!isSent && text.includes('ready')) isSent = child.kill('SIGTERM')
      },
    })
    assert.deepEqual([code, /Interrupted, so no report was sent/.test(stderr)], [42, true], stderr)
  })

  it('gives flags after -- to the command, and asks for a command', async () => {
    await writeFile(join(desk.folder, 'echo.cjs'), 'console.log(process.argv.slice(2).join(" ")); process.exit(7)')
    const { code, stdout } = await run(['--', process.execPath, 'echo.cjs', '--json', '--debug', '--help', '--', '-v'])
    assert.deepEqual([code, stdout], [7, '--json --debug --help -- -v\n'])
    assert.equal((await run([])).code, 2)
    const { stdout: help } = await desk.fairlead(['tests', 'run', '--help'])
    assert.match(help, /only the machine failed/)
    const proposed = await desk.fairlead(['__complete', 'tests', 'quarantine', ''])
    assert.match(proposed.stdout, /^add$/m)
  })
})
