/**
 * Runs every test framework over the history of `suites/plan.json` and keeps what it wrote: the reports in each format,
 * its output and its exit code. `node test/frameworks/record.ts [framework…]` makes the recordings anew. It needs the
 * packages of `package.json`, which it installs into a temporary folder, and of Debian `chromium`, `chromium-driver`,
 * `python3-pytest`, `python3-pytest-rerunfailures`, `libgtest-dev`, `g++`, `junit5`, a JDK, `golang-go` and
 * `gotestsum`.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { type Framework, frameworks, home } from './frameworks.ts'
import type { Recording, RecordedRun } from './recording.ts'
import { plan, run, suites } from './write-suite.ts'

const here = import.meta.dirname
/** Stands in the recordings for the folder of the checkout: an absolute path that no rule of Fairlead knows. */
const checkoutName = '/data/checkouts/shop'

/** Installs the packages unless the same ones are there. */
function install(): void {
  mkdirSync(home, { recursive: true })
  const wanted = readFileSync(join(here, 'package.json'), 'utf8')
  const path = join(home, 'package.json')
  if (existsSync(path) && readFileSync(path, 'utf8') === wanted && existsSync(join(home, 'node_modules'))) return
  writeFileSync(path, wanted)
  run('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts'], home)
}

function recordRun(framework: Framework, checkout: string, step: string): RecordedRun {
  rmSync(join(checkout, 'out'), { recursive: true, force: true })
  rmSync(join(checkout, 'test-results'), { recursive: true, force: true })
  mkdirSync(join(checkout, 'out/junit'), { recursive: true })
  const [program = '', ...args] = framework.command
  const { status, signal, stdout, stderr } = spawnSync(program, args, {
    cwd: checkout,
    env: { ...process.env, FORCE_COLOR: '0', NO_COLOR: '1', CI: 'true', ...framework.env, STEP: step },
    encoding: 'utf8',
    timeout: 240_000,
    maxBuffer: 64 * 1024 * 1024,
  })
  const { branch, commit } = plan.steps[step]! // the caller takes the names of steps from the plan
  const formats: RecordedRun['formats'] = {}
  const add = (format: string, path: string, name: string) => {
    formats[format] ??= {}
    formats[format][name] = toKept(readFileSync(join(checkout, path)), checkout)
  }
  for (const path of globSync('out/*/**/*', { cwd: checkout, withFileTypes: true })) {
    if (!path.isFile()) continue
    const whole = join(path.parentPath, path.name).slice(checkout.length + 1)
    const [, format = '', ...rest] = whole.split('/')
    add(format, whole, rest.join('/'))
  }
  for (const { format, pattern } of framework.attached ?? []) {
    for (const path of globSync(pattern, { cwd: checkout })) add(format, path, path)
  }
  const output = cleanText(stdout + stderr, checkout)
  return { step, branch, commit, exitCode: status ?? (signal === 'SIGKILL' ? 137 : 1), output, formats }
}

/** Keeps a text as it is, and bytes as base64. */
function toKept(bytes: Buffer, checkout: string): string | { base64: string } {
  const text = bytes.toString('utf8')
  return text.includes('\ufffd') ? { base64: bytes.toString('base64') } : cleanText(text, checkout)
}

function cleanText(text: string, checkout: string): string {
  const host = spawnSync('hostname', { encoding: 'utf8' }).stdout.trim()
  return text
    .replaceAll(/^<properties>\n[\s\S]*?^<\/properties>\n/gm, '') // of the machine: JUnit 5 writes the settings of Java
    .replaceAll(/^\tat (?:org\.junit\.platform|java\.base|org\.junit\.jupiter\.engine)\S*\n/gm, '')
    .replaceAll(checkout, checkoutName)
    .replaceAll(home, '/data/checkouts')
    .replaceAll(process.execPath, '/usr/bin/node')
    .replaceAll(/ on [\d.]+:53: no such host/g, ' on 192.0.2.53:53: no such host')
    .replaceAll(host, 'runner-1')
}

const wanted = process.argv.slice(2)
install()
for (const [name, framework] of Object.entries(frameworks)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  const checkout = join(home, 'checkouts', name)
  rmSync(checkout, { recursive: true, force: true })
  mkdirSync(checkout, { recursive: true })
  cpSync(join(suites, 'plan.json'), join(checkout, 'plan.json'))
  framework.prepare(checkout)
  const runs = Object.keys(plan.steps).map((step) => recordRun(framework, checkout, step))
  const path = join(here, 'recordings', `${name}.json.gz`)
  mkdirSync(dirname(path), { recursive: true })
  const recording: Recording = { framework: name, runs }
  writeFileSync(path, gzipSync(JSON.stringify(recording), { level: 9 }))
  process.stdout.write(`${name}: ${runs.map(({ exitCode }) => exitCode).join(' ')}\n`)
}
