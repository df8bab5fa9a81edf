/**
 * Compares this package with the retrace of ProGuard (Debian's libproguard-java), on a generated mapping of 51 MB and
 * generated traces: `node packages/symbols/bench/android.ts`. Runs alternate and figures are medians; see README.md.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRandom, makeMapping, makeTrace } from './android-mapping.ts'

const rounds = Number(process.env['ROUNDS'] ?? 5)
const jars = ['proguard-retrace.jar', 'proguard.jar'].map((name) => join('/usr/share/java', name)).join(':')

interface Figure {
  milliseconds: number
  /** CPU time of all threads, user and system, in milliseconds; it matters on a machine that is busy. */
  processor: number
  kilobytes: number
}

const folder = mkdtempSync(join(tmpdir(), 'fairlead-android-'))
const [mapping, index, output] = ['mapping.txt', 'mapping.index', 'output.txt'].map((name) => join(folder, name))
const traces = {
  one: join(folder, 'one.txt'),
  many: join(folder, 'many.txt'),
  different: join(folder, 'different.txt'),
}

try {
  await makeInputs()
  runBench()
} finally {
  rmSync(folder, { recursive: true })
}

async function makeInputs(): Promise<void> {
  const frames = await makeMapping(mapping ?? '', 51_000_000, 7)
  const random = createRandom(11)
  writeFileSync(traces.one, makeTrace(frames, 20, random))
  // A log of 20,000 crashes of 500 kinds, some of which are far more frequent than others.
  const kinds = Array.from({ length: 500 }, () => makeTrace(frames, 20, random))
  const pickKind = () => kinds[Math.floor(kinds.length * (random(10_000) / 10_000) ** 2)] ?? ''
  writeFileSync(traces.many, Array.from({ length: 20_000 }, pickKind).join(''))
  writeFileSync(traces.different, Array.from({ length: 20_000 }, () => makeTrace(frames, 20, random)).join(''))
}

function runBench(): void {
  const figures = new Map<string, Figure[]>()
  const add = (name: string, figure: Figure) => figures.set(name, [...(figures.get(name) ?? []), figure])
  for (let round = 0; round < rounds; round++) {
    add('index', runOwn('index', traces.one))
    for (const [name, trace] of Object.entries(traces)) {
      add(name, runOwn(name === 'one' ? 'trace' : 'stream', trace))
      add(`${name} peer`, runPeer(trace))
    }
  }
  const median = (name: string): Figure => {
    const sorted = (figures.get(name) ?? []).toSorted((one, other) => one.milliseconds - other.milliseconds)
    return sorted[Math.floor(sorted.length / 2)] ?? { milliseconds: NaN, processor: NaN, kilobytes: NaN }
  }
  const size = (path = '') => (statSync(path).size / 1e6).toFixed(1)
  console.log(`mapping ${size(mapping)} MB, index file ${size(index)} MB, medians of ${rounds} rounds\n`)
  console.log(`index the mapping: ${write(median('index'))}`)
  for (const [name, what] of [
    ['one', 'one trace of 20 frames, index file not open'],
    ['many', '420,000 lines, a log of 500 kinds of crash'],
    ['different', '420,000 lines, all traces different'],
  ] as const) {
    const [own, peer] = [median(name), median(`${name} peer`)]
    const byClock = (peer.milliseconds / own.milliseconds).toFixed(1)
    const byProcessor = (peer.processor / own.processor).toFixed(1)
    console.log(
      `${what}: ${write(own)}; ProGuard ${write(peer)}; ${byClock} times as fast (${byProcessor} by CPU time)`,
    )
  }
}

function write({ milliseconds, processor, kilobytes }: Figure): string {
  const digits = milliseconds < 100 ? 1 : 0
  const [time, cpu] = [milliseconds.toFixed(digits), processor.toFixed(digits)]
  return `${time} ms (${cpu} ms of CPU), ${(kilobytes / 1000).toFixed(0)} MB`
}

function runOwn(work: string, trace: string): Figure {
  const program = join(import.meta.dirname, 'android-run.ts')
  const { stdout, stderr } = spawnSync(process.execPath, [program, work, mapping, index, trace, output].map(String), {
    encoding: 'utf8',
  })
  if (stdout === '') throw new Error(stderr)
  const figure: Figure = JSON.parse(stdout)
  return figure
}

/** Runs ProGuard, which reads the mapping each time. GNU time measures the memory of its whole process. */
function runPeer(trace: string): Figure {
  const command = ['-f', '%M %U %S', 'java', '-cp', jars, 'proguard.retrace.ReTrace', String(mapping), trace]
  const started = performance.now()
  const { stderr, error } = spawnSync('/usr/bin/time', command, { encoding: 'utf8', maxBuffer: 2 ** 30 })
  if (error) throw error
  const milliseconds = performance.now() - started
  const [kilobytes = NaN, user = NaN, system = NaN] = (stderr.trim().split('\n').at(-1) ?? '').split(' ').map(Number)
  return { milliseconds, processor: (user + system) * 1000, kilobytes }
}
