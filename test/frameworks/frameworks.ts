/** How each framework is prepared and run. */
import { globSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { copyFolder, run, writePlanText, writeSuite } from './write-suite.ts'

/** The folder of the packages and checkouts. */
export const home = join(tmpdir(), 'fairlead-frameworks')
const bin = (name: string) => join(home, 'node_modules/.bin', name)
const chromium = process.env['CHROMIUM'] ?? '/usr/bin/chromium'
const chromedriver = process.env['CHROMEDRIVER'] ?? '/usr/bin/chromedriver'

export interface Framework {
  /** Puts the files of the suite into the checkout. */
  prepare: (checkout: string) => void
  command: string[]
  env?: Record<string, string>
  /** Files besides those in `out/<format>/`, by the format they belong to. */
  attached?: { format: string; pattern: string }[]
}

const expected = (actual: string, wanted: string) => `expect(${actual}).toBe(${wanted})`
const asserted = (actual: string, wanted: string) => `assert.equal(${actual}, ${wanted})`
const asserts = `import assert from 'node:assert/strict'\n`
const firstTry = (attempt = '') => `CHECK(isBrokenAtFirst('loads the map'${attempt}) ? 'blank' : 'map', 'map')`

export const frameworks: Record<string, Framework> = {
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

function findJars(): string {
  const names = '{junit-jupiter*,junit-platform*,opentest4j,apiguardian-api,picocli,univocity-parsers}.jar'
  return globSync(join('/usr/share/java', names))
    .filter((path) => !/\d\.jar$/.test(path))
    .join(':')
}
