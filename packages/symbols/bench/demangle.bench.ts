/**
 * Measures the names demangled per second, and compares with llvm-cxxfilt, which reads the same names as a stream. Both
 * run in turns, so that other load on the machine slows both, and the medians are compared.
 */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { demangle } from '../src/demangle/demangle.ts'
import { findFixtures, readVectors } from '../src/demangle/vectors/read-vectors.ts'

const rounds = 9
const wanted = 100_000

/** Returns `wanted` names: those of a truth table, or if there is none of a built-in list, repeated. */
function readNames(table: string, own: string): string[] {
  const fixtures = findFixtures()
  const path = fixtures === undefined ? '' : join(fixtures, 'symbols', table)
  const folder = join(import.meta.dirname, '..', 'src', 'demangle', 'vectors')
  const names = readVectors(existsSync(path) ? path : join(folder, own)).map(({ name }) => name)
  return Array.from({ length: wanted }, (_, i) => names[i % names.length] ?? '')
}

function time(run: () => void): number {
  const start = performance.now()
  run()
  return (performance.now() - start) / 1000
}

function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

const peer = ['llvm-cxxfilt-19', 'llvm-cxxfilt'].find((command) => spawnSync(command, ['--version']).status === 0)

/** Measures the seconds of each round for both forms, and for the peer if it is installed and knows the language. */
function measure(names: string[], hasPeer: boolean): { full: number; short: number; peer: number | undefined } {
  const input = `${names.join('\n')}\n`
  const full: number[] = []
  const short: number[] = []
  const others: number[] = []
  for (let round = 0; round < rounds; round++) {
    full.push(time(() => names.map((name) => demangle(name)).join('\n')))
    short.push(time(() => names.map((name) => demangle(name, { form: 'short' })).join('\n')))
    if (hasPeer && peer !== undefined) {
      others.push(time(() => spawnSync(peer, [], { input, maxBuffer: 1 << 30 })))
    }
  }
  return { full: median(full), short: median(short), peer: others.length > 0 ? median(others) : undefined }
}

const perSecond = (seconds: number): string => Math.round(wanted / seconds).toLocaleString('en')

console.log('| names | full /s | short /s | llvm-cxxfilt /s | full ÷ llvm-cxxfilt |')
console.log('|---|---:|---:|---:|---:|')
for (const [what, table, own, hasPeer] of [
  ['C++', 'itanium-demangle-vectors.tsv', 'cxx.tsv', true],
  ['Swift', 'swift-demangle-vectors.tsv', 'swift.tsv', false],
] as const) {
  const seconds = measure(readNames(table, own), hasPeer)
  const ofPeer =
    seconds.peer === undefined ? ['–', '–'] : [perSecond(seconds.peer), (seconds.peer / seconds.full).toFixed(2)]
  console.log(`| ${what} | ${perSecond(seconds.full)} | ${perSecond(seconds.short)} | ${ofPeer.join(' | ')} |`)
}
