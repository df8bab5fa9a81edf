/**
 * Reads a JUnit report of 100 MB with this package, @allurereport/reader and Debian's python3-junitparser in turns. It
 * measures the CPU time of each process, start included, and its peak memory, and compares the medians.
 *
 *   node packages/reports/bench/read-junit.ts [rounds] [megabytes]
 *
 * @allurereport/reader is installed into a temporary folder by npm, junitparser by `apt-get install
 * python3-junitparser`.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeReport } from './write-report.ts'

interface Measured {
  cpuMs: number
  memoryMb: number
  cases: number
}

const peerVersion = '3.18.0'
const allureProgram = `
import { junitXml } from '@allurereport/reader'
import { PathResultFile } from '@allurereport/reader-api'
let cases = 0
const ignore = async () => {}
const count = async () => { cases++ }
const visitor = { visitTestResult: count, visitAttachmentFile: ignore, visitMetadata: ignore }
await junitXml.read(visitor, new PathResultFile(process.argv[2]))
const { user, system } = process.cpuUsage()
console.log(JSON.stringify({ cpuMs: (user + system) / 1000, memoryMb: process.resourceUsage().maxRSS / 1024, cases }))
`
const pythonProgram = `
import sys, resource, json
from junitparser import JUnitXml
cases = sum(1 for suite in JUnitXml.fromfile(sys.argv[1]) for case in suite if case.result is not None)
used = resource.getrusage(resource.RUSAGE_SELF)
print(json.dumps({'cpuMs': (used.ru_utime + used.ru_stime) * 1000, 'memoryMb': used.ru_maxrss / 1024, 'cases': cases}))
`

const [rounds = 5, megabytes = 100] = process.argv.slice(2).map(Number)
const folder = mkdtempSync(join(tmpdir(), 'fairlead-bench-'))
try {
  const path = join(folder, 'report.xml')
  const tiny = join(folder, 'tiny.xml')
  writeReport(path, megabytes * 1e6)
  writeFileSync(tiny, '<testsuites/>')
  const peers = installPeers(folder)
  const readers: Record<string, () => Measured> = {
    'this package': () => runOwn(path),
    'this package, nothing to read': () => runOwn(tiny),
    '@allurereport/reader': () => run(process.execPath, ['--max-old-space-size=8192', peers.allure, path]),
    'python3-junitparser': () => run('/usr/bin/python3', [peers.python, path]),
  }
  const results = new Map<string, Measured[]>(Object.keys(readers).map((name) => [name, []]))
  for (let round = 0; round < rounds; round++) {
    for (const [name, read] of Object.entries(readers)) results.get(name)?.push(read())
  }
  const own = median(results.get('this package') ?? [], 'cpuMs')
  for (const [name, measured] of results) {
    const cpu = median(measured, 'cpuMs')
    const single = measured.map(({ cpuMs }) => Math.round(cpuMs)).join(', ')
    const memory = Math.round(median(measured, 'memoryMb'))
    const ratio = (own / cpu).toFixed(2)
    console.log(
      `${name}: ${Math.round(cpu)} ms of CPU (${single}), ${memory} MB, ${measured[0]?.cases} cases; ratio ${ratio}`,
    )
  }
} finally {
  rmSync(folder, { recursive: true })
}

function installPeers(parent: string): { allure: string; python: string } {
  const peer = join(parent, 'peer')
  mkdirSync(peer)
  writeFileSync(join(peer, 'package.json'), '{"private":true,"type":"module"}')
  const names = [`@allurereport/reader@${peerVersion}`, `@allurereport/reader-api@${peerVersion}`]
  execFileSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', ...names], {
    cwd: peer,
    stdio: 'ignore',
  })
  const allure = join(peer, 'read.mjs')
  const python = join(peer, 'read.py')
  writeFileSync(allure, allureProgram)
  writeFileSync(python, pythonProgram)
  return { allure, python }
}

/** Reads with the flags and the environment that `createReportReader` gives its processes. */
function runOwn(report: string): Measured {
  const program = join(import.meta.dirname, 'read-once.ts')
  const flags = ['--min-semi-space-size=4', '--max-semi-space-size=4']
  return run(process.execPath, [...flags, program, report], { MALLOC_ARENA_MAX: '1' })
}

function run(program: string, args: string[], environment: NodeJS.ProcessEnv = {}): Measured {
  // An installed program has a compile cache. Without it, Node strips the types of each file at every start.
  const env = { ...process.env, ...environment, NODE_COMPILE_CACHE: join(folder, 'compile-cache') }
  const printed = execFileSync(program, args, { encoding: 'utf8', env, maxBuffer: 2 ** 26, timeout: 600_000 })
  const measured: Measured = JSON.parse(printed.trim().split('\n').at(-1) ?? '') // the programs above print such a line
  return measured
}

function median(measured: Measured[], field: 'cpuMs' | 'memoryMb'): number {
  const sorted = measured.map((one) => one[field]).sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}
