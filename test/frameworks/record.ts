/**
 * Runs every test framework over the history of `suites/plan.json` and keeps what it wrote: the reports in each format,
 * its output and its exit code. `node test/frameworks/record.ts [framework…]` makes the recordings anew. It needs the
 * packages of `package.json`, which it installs into a temporary folder, and of Debian `chromium`, `chromium-driver`,
 * `python3-pytest`, `python3-pytest-rerunfailures`, `libgtest-dev`, `g++`, `junit5`, a JDK, `golang-go` and
 * `gotestsum`.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Recording, RecordedRun } from './recording.ts'

const here = import.meta.dirname
const home = join(tmpdir(), 'fairlead-frameworks')
const suites = join(here, 'suites')
/** Stands in the recordings for the folder of the checkout: an absolute path that no rule of Fairlead knows. */
const checkoutName = '/data/checkouts/shop'

interface Plan {
  steps: Record<string, { branch: string; commit: string }>
  broken: Record<string, string[]>
}

interface Framework {
  /** Puts the files of the suite into the checkout. */
  prepare: (checkout: string) => void
  command: string[]
  env?: Record<string, string>
  /** Files besides those in `out/<format>/`, by the format they belong to. */
  attached?: { format: string; pattern: string }[]
}

const plan: Plan = JSON.parse(readFileSync(join(suites, 'plan.json'), 'utf8'))
const bin = (name: string) => join(home, 'node_modules/.bin', name)
const chromium = process.env['CHROMIUM'] ?? '/usr/bin/chromium'
const chromedriver = process.env['CHROMEDRIVER'] ?? '/usr/bin/chromedriver'

/** How a JavaScript framework writes what the common files leave open. */
interface Dialect {
  folder: string
  imports: string
  check: (actual: string, expected: string) => string
  retried: string
  ending: string
  files?: string[]
}

const expected = (actual: string, wanted: string) => `expect(${actual}).toBe(${wanted})`
const asserted = (actual: string, wanted: string) => `assert.equal(${actual}, ${wanted})`
const asserts = `import assert from 'node:assert/strict'\n`
const firstTry = (attempt = '') => `CHECK(isBrokenAtFirst('loads the map'${attempt}) ? 'blank' : 'map', 'map')`

/** Writes the common files in the dialect of a framework. */
function writeSuite({ folder, imports, check, retried, ending, files = [] }: Dialect): (checkout: string) => void {
  return (checkout) => {
    cpSync(join(suites, 'javascript/src'), join(checkout, 'src'), { recursive: true })
    cpSync(join(suites, 'javascript/plan.js'), join(checkout, 'plan.js'))
    writeFileSync(join(checkout, 'package.json'), '{ "type": "module" }\n')
    for (const name of globSync('*', { cwd: join(suites, folder) })) {
      if (!files.includes(name)) cpSync(join(suites, folder, name), join(checkout, name))
    }
    const header =
      `import { lookup } from 'node:dns/promises'\nimport { isBroken, isBrokenAtFirst } from './plan.js'\n` +
      `import { order, taxOf } from './src/shop.js'\n${imports}\n`
    const bodies = ['cart', 'hooks', 'rates', 'night'].map((name) => join(suites, 'javascript', `${name}.js`))
    for (const path of [...bodies, ...files.map((name) => join(suites, folder, name))]) {
      const body = readFileSync(path, 'utf8')
        .replace(/^( *)RETRIED\(.*\)$/m, (_, indent: string) =>
          retried.replaceAll('\n', `\n${indent}`).replace(/^/, indent),
        )
        .replaceAll(/CHECK\((.*), ([^,]*)\)$/gm, (_, actual: string, wanted: string) => check(actual, wanted))
      const name = path.slice(path.lastIndexOf('/') + 1).replace(/\.js$/, ending)
      writeFileSync(join(checkout, name), header + body)
    }
  }
}

const frameworks: Record<string, Framework> = {
  playwright: {
    prepare: writeSuite({
      folder: 'playwright',
      imports: `import { expect, test } from '@playwright/test'\nconst { beforeEach, describe } = test`,
      check: expected,
      retried: `test('loads the map', ({}, info) => {\n  ${firstTry(', info.retry')}\n})`,
      ending: '.spec.js',
      files: ['attached.js'],
    }),
    command: [bin('playwright'), 'test'],
    env: { CHROMIUM: chromium },
    attached: [
      { format: 'junit', pattern: 'test-results/**/*.{xml,jpeg}' },
      { format: 'junit-retries', pattern: 'test-results/**/*.{xml,jpeg}' },
    ],
  },
  jest: {
    prepare: writeSuite({
      folder: 'jest',
      imports: `import { jest } from '@jest/globals'\njest.retryTimes(1)`,
      check: expected,
      retried: `test('loads the map', () => {\n  ${firstTry()}\n})`,
      ending: '.test.js',
    }),
    command: [bin('jest'), '--ci', '--maxWorkers=2', '--workerThreads=false'],
    env: { NODE_OPTIONS: '--experimental-vm-modules' },
  },
  vitest: {
    prepare: writeSuite({
      folder: 'vitest',
      imports: `import { beforeEach, describe, expect, test } from 'vitest'`,
      check: expected,
      retried: `test('loads the map', { retry: 1 }, () => {\n  ${firstTry()}\n})`,
      ending: '.test.js',
    }),
    command: [bin('vitest'), 'run'],
  },
  mocha: {
    prepare: writeSuite({
      folder: 'mocha',
      imports: `${asserts}const test = it`,
      check: asserted,
      retried: `test('loads the map', function () {\n  this.retries(1)\n  ${firstTry()}\n})`,
      ending: '.test.js',
    }),
    command: [
      bin('mocha'),
      '*.test.js',
      '--reporter',
      'mocha-multi-reporters',
      '--reporter-options',
      'configFile=reporters.json',
    ],
  },
  node: {
    prepare: writeSuite({
      folder: 'node',
      imports: `${asserts}import { beforeEach, describe, test } from 'node:test'`,
      check: asserted,
      retried: '',
      ending: '.test.js',
    }),
    command: [
      process.execPath,
      '--test',
      '--test-reporter=spec',
      '--test-reporter-destination=stdout',
      '--test-reporter=junit',
      '--test-reporter-destination=out/junit/junit.xml',
    ],
  },
  webdriverio: {
    prepare: writeSuite({
      folder: 'webdriverio',
      imports: `${asserts}const test = it`,
      check: asserted,
      retried: `test('loads the map', function () {\n  this.retries(1)\n  ${firstTry()}\n})`,
      ending: '.e2e.js',
    }),
    command: [bin('wdio'), 'run', 'wdio.conf.js'],
    env: { CHROMIUM: chromium, CHROMEDRIVER: chromedriver },
  },
  pytest: {
    prepare: copyFolder('pytest'),
    command: ['python3', '-m', 'pytest', '--reruns=1', '-p', 'no:cacheprovider', '--junitxml=out/junit/junit.xml'],
    env: { PYTHONDONTWRITEBYTECODE: '1', PATH: `/usr/bin:${process.env['PATH']}` },
  },
  googletest: {
    prepare: (checkout) => {
      copyFolder('googletest')(checkout)
      writePlanText(checkout)
      run('g++', ['shop_test.cc', '-o', 'shop_test', '-lgtest', '-lgtest_main', '-lpthread'], checkout)
    },
    command: ['./shop_test', '--gtest_output=xml:out/junit/junit.xml'],
  },
  junit5: {
    prepare: (checkout) => {
      copyFolder('junit5')(checkout)
      writePlanText(checkout)
      run('javac', ['-cp', findJars(), '-d', 'classes', ...globSync('shop/*.java', { cwd: checkout })], checkout)
    },
    command: [
      'java',
      '-cp',
      `${findJars()}:classes`,
      'org.junit.platform.console.ConsoleLauncher',
      '--scan-classpath=classes',
      '--reports-dir=out/junit',
    ],
  },
  go: {
    prepare: (checkout) => {
      copyFolder('go')(checkout)
      writePlanText(checkout)
    },
    // The output of Go's own command is kept too: it is refused, with the name of a converter.
    command: [
      'sh',
      '-c',
      'mkdir -p out/go-json out/go-text && go test -json ./... > out/go-json/go.json; ' +
        'go test -v ./... > out/go-text/go.txt; gotestsum --junitfile out/junit/junit.xml ./...',
    ],
    env: { GOCACHE: join(home, 'go-cache'), GOFLAGS: '-count=1' },
  },
}

function copyFolder(name: string): (checkout: string) => void {
  return (checkout) => cpSync(join(suites, name), checkout, { recursive: true })
}

function writePlanText(checkout: string): void {
  const lines = Object.entries(plan.broken).map(([name, steps]) => `${name}: ${steps.join(' ')}\n`)
  writeFileSync(join(checkout, 'plan.txt'), lines.join(''))
}

function findJars(): string {
  const names = '{junit-jupiter*,junit-platform*,opentest4j,apiguardian-api,picocli,univocity-parsers}.jar'
  return globSync(join('/usr/share/java', names))
    .filter((path) => !/\d\.jar$/.test(path))
    .join(':')
}

function run(command: string, args: string[], cwd: string): void {
  const { status } = spawnSync(command, args, { cwd, stdio: 'inherit' })
  if (status !== 0) throw new Error(`${command} ended with ${status}`)
}

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
