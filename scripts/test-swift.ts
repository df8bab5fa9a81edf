/**
 * `npm run test:swift`: the tests of the channel in Swift, those of the Swift package itself and those in TypeScript
 * that drive apps in Swift, then one line `N passed, N failed`. `npm test` does not run them, because the toolchain is
 * large. Where there is none and none can be fetched, it says so; in CI that is a failure.
 */
import { spawn } from 'node:child_process'
import { copyFileSync, cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { findSwift } from './swift-toolchain.ts'

interface Count {
  passed: number
  failed: number
}

const root = join(import.meta.dirname, '..')
const swiftPackage = join(root, 'packages/channel/swift')

/** A build and the tests take about two minutes on a slow machine. */
const timeoutMs = 900_000

/** Runs a program, shows what it writes, and returns it with its exit code. */
async function run(command: readonly string[], cwd = swiftPackage): Promise<{ output: string; isDone: boolean }> {
  const [program = '', ...args] = command
  const child = spawn(program, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'], timeout: timeoutMs })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-4_000_000)
      process.stdout.write(text)
    })
  }
  const isDone = await new Promise<boolean>((resolve) => {
    child.once('error', () => resolve(false))
    child.once('close', (code) => resolve(code === 0))
  })
  return { output, isDone }
}

/** Reads the line with which XCTest closes: `Executed 52 tests, with 1 test skipped and 0 failures`. */
function countXCTest(output: string): Count | undefined {
  const last = [...output.matchAll(/Executed (\d+) tests?, with (?:(\d+) tests? skipped and )?\d+ failures?/g)].at(-1)
  if (!last) return undefined
  const failed = new Set([...output.matchAll(/^Test Case '([^']+)' failed/gm)].map(([, name]) => name)).size
  return { passed: Number(last[1]) - Number(last[2] ?? 0) - failed, failed }
}

/** A step that is a test by itself, such as a build without warnings. */
async function check(title: string, command: readonly string[]): Promise<Count> {
  console.log(`\n# ${title}\n`)
  const { isDone } = await run(command)
  return isDone ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 }
}

async function runSwiftTests(prefix: readonly string[]): Promise<Count[]> {
  const strict = ['-Xswiftc', '-swift-version', '-Xswiftc', '6', '-Xswiftc', '-warnings-as-errors']
  const swift6 = [...prefix, 'swift', 'build', '--scratch-path', '.build/swift-6', ...strict]
  using published = copyWithoutTests()
  const builds = [
    await check('The package as npm brings it, without tests', [
      ...prefix,
      'swift',
      'package',
      '--package-path',
      published.path,
      'describe',
    ]),
    await check('The package in the language mode of Swift 6, without warnings', swift6),
    await check('The package and its tests', [...prefix, 'swift', 'build', '--build-tests']),
  ]
  console.log('\n# The tests in Swift\n')
  const { output, isDone } = await run([...prefix, 'swift', 'test', '--skip-build'])
  const inSwift = countXCTest(output) ?? { passed: 0, failed: 1 }
  // A process that crashes after its last test has no failed test.
  if (!isDone && inSwift.failed === 0) inSwift.failed = 1
  console.log('\n# The tests in TypeScript with apps in Swift\n')
  const script = join(root, 'packages/channel/test/swift/swift-apps.ts')
  const inTypeScript = await run([...prefix, process.execPath, '--test', '--test-reporter=spec', script])
  const number = (word: string) => Number(new RegExp(`^ℹ ${word} (\\d+)$`, 'm').exec(inTypeScript.output)?.[1] ?? 0)
  const count = { passed: number('pass'), failed: number('fail') + number('cancelled') }
  if (!inTypeScript.isDone && count.failed === 0) count.failed = 1
  return [...builds, inSwift, count]
}

/** Copies what `packages/channel/scripts/pack.ts` publishes to a folder of its own. */
function copyWithoutTests(): { path: string } & Disposable {
  const path = mkdtempSync(join(tmpdir(), 'swift-package-'))
  const parts = ['Package.swift', 'Sources']
  for (const part of parts) cpSync(join(swiftPackage, part), join(path, part), { recursive: true })
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true }) }
}

/** Puts the contract, if a parent folder has it, where the toolchain sees it: in /tmp. */
function offerContract(): Disposable {
  for (let folder = root; folder !== dirname(folder); folder = dirname(folder)) {
    const contract = join(folder, 'shared/contract.md')
    if (!existsSync(contract)) continue
    const copy = mkdtempSync(join(tmpdir(), 'contract-'))
    copyFileSync(contract, join(copy, 'contract.md'))
    process.env['CONTRACT_OF_THE_CHANNEL'] = join(copy, 'contract.md')
    return { [Symbol.dispose]: () => rmSync(copy, { recursive: true }) }
  }
  return { [Symbol.dispose]() {} }
}

async function main(): Promise<void> {
  process.chdir(swiftPackage)
  using _contract = offerContract()
  const toolchain = findSwift(root)
  let counts: Count[]
  if (typeof toolchain === 'string') {
    console.log(`not run: the channel in Swift (${toolchain})`)
    counts = [{ passed: 0, failed: process.env['CI'] === 'true' ? 1 : 0 }]
  } else {
    counts = await runSwiftTests(toolchain.prefix)
  }
  const passed = counts.reduce((sum, count) => sum + count.passed, 0)
  const failed = counts.reduce((sum, count) => sum + count.failed, 0)
  console.log(`${passed} passed, ${failed} failed`)
  process.exitCode = failed === 0 ? 0 : 1
}

await main()
