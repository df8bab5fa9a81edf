/** The seconds of each test file, which a run prints and `--record` keeps, so that later runs start in good order. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readJson } from './read-json.ts'
import type { JobResult } from './run-test-job.ts'

const path = join(import.meta.dirname, 'test-seconds.json')
/** Only files that take longer are kept. The others are small, and count as if they took as long. */
const leastSeconds = 2
const printed = 15

/** Returns a function that estimates how long a file takes, in seconds. */
export function readSeconds(): (file: string) => number {
  const seconds = readJson<Record<string, number>>(readFileSync(path, 'utf8'))
  return (file) => seconds[file] ?? leastSeconds
}

/** Keeps the longer time of a file that ran on both engines. */
export function saveSeconds(results: JobResult[]): void {
  const byFile = Map.groupBy(results, ({ job }) => job.files.join())
  const longest = [...byFile].map(([file, runs]) => [file, Math.max(...runs.map(({ seconds }) => seconds))] as const)
  const kept = longest.filter(([, seconds]) => seconds > leastSeconds).toSorted(([a], [b]) => (a < b ? -1 : 1))
  const rounded = Object.fromEntries(kept.map(([file, seconds]) => [file, Math.round(seconds)]))
  writeFileSync(path, `${JSON.stringify(rounded, null, 2)}\n`)
}

export function printSlowest(results: JobResult[]): void {
  const slowest = results.toSorted((a, b) => b.seconds - a.seconds).slice(0, printed)
  console.log('\n# Slowest files: seconds, seconds of processor time\n')
  for (const { job, seconds, cpuSeconds } of slowest) {
    console.log(`${seconds.toFixed(1).padStart(7)} ${(cpuSeconds?.toFixed(1) ?? '?').padStart(7)}  ${job.name}`)
  }
  const cpuSeconds = results.reduce((sum, one) => sum + (one.cpuSeconds ?? 0), 0)
  console.log(`\n${results.length} files, ${cpuSeconds.toFixed(0)} s of processor time\n`)
}
