import { spawn, spawnSync } from 'node:child_process'
import { join } from 'node:path'

/** aapt is a command that Debian packages, not an npm package. */
const aapt = 'aapt'

/** Milliseconds that one run takes. */
export async function time(run: () => unknown): Promise<number> {
  const started = performance.now()
  await run()
  return performance.now() - started
}

export function quantile(values: number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * part) - 1)] ?? Number.NaN
}

export const median = (values: number[]): number => quantile(values, 0.5)

/** Milliseconds of a whole aapt process, since a service would start one for each upload. */
export function timeAapt(path: string): number {
  const started = performance.now()
  const { error } = spawnSync(aapt, ['dump', 'badging', path], { stdio: 'ignore' })
  return error ? Number.NaN : performance.now() - started
}

export interface PeerRun {
  /** Median of the warm rounds in milliseconds; undefined where no round succeeded. */
  ms: number | undefined
  /** Package, version code and name, minimum and target SDK, label and debuggable flag, all as text. */
  fields: string[]
  neverEnds: boolean
}

export async function runPeer(path: string, rounds: number, patienceMs = 10_000): Promise<PeerRun> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'peer-process.ts'), path, String(rounds + 2)], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const timer = setTimeout(() => child.kill('SIGKILL'), patienceMs)
  let output = ''
  for await (const chunk of child.stdout) output += String(chunk)
  clearTimeout(timer)
  const lines = output.split('\n').filter((line) => line.startsWith('='))
  const [fields = '[]', ...times] = lines.map((line) => line.slice(1))
  const warm = times.slice(2).map(Number)
  const parsed: string[] = JSON.parse(fields)
  return {
    ms: warm.length > 0 ? median(warm) : undefined,
    fields: parsed,
    neverEnds: child.signalCode === 'SIGKILL',
  }
}

/** Peak growth of the process's resident memory in MB while `run` runs, sampled every 2 ms and at the end. */
export async function growth(run: () => Promise<unknown>): Promise<number> {
  globalThis.gc?.()
  const before = process.memoryUsage.rss()
  let greatest = before
  const sample = () => {
    greatest = Math.max(greatest, process.memoryUsage.rss())
  }
  const timer = setInterval(sample, 2)
  await run().catch(() => undefined)
  sample()
  clearInterval(timer)
  return (greatest - before) / 1024 / 1024
}
