/**
 * Compares lookup files of ELF libraries with llvm-gsymutil and llvm-symbolizer, and reads a tombstone:
 * `node packages/symbols/bench/native.ts [folder]`. It needs these Debian packages: clang-19, lld-19, llvm-19, time.
 * Runs alternate and figures are medians, so that other load on the machine affects all of them alike.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { openLookup, symbolicate } from '../src/index.ts'
import { parseProtobufTombstone } from '../src/tombstone/parse-protobuf.ts'
import { findFixtures } from '../test/fixtures.ts'
import { createRandom } from '../test/random.ts'
import { type Cost, measureCommand, median, medianCost } from './cost.ts'
import { makeElf } from './make-elf.ts'

const folder = process.argv[2] ?? join(tmpdir(), 'fairlead-bench-native')
const rounds = Number(process.env['ROUNDS'] ?? 5)
/** 17 copies of each unit make a library with 370 MB of debug information. */
const copies = Number(process.env['COPIES'] ?? 17)
const llvm = '/usr/lib/llvm-19/bin'
const outDir = join(folder, 'out')
const gsym = join(folder, 'big.gsym')

function build(library: string): string {
  const ours: Cost[] = []
  const theirs: Cost[] = []
  for (let round = 0; round < rounds; round++) {
    rmSync(outDir, { recursive: true, force: true })
    mkdirSync(outDir)
    ours.push(measureCommand(folder, [process.execPath, join(import.meta.dirname, 'index-once.ts'), library, outDir]))
    const convert = ['--num-threads=1', `--convert=${library}`, '--quiet', '-o', gsym]
    theirs.push(measureCommand(folder, [`${llvm}/llvm-gsymutil`, ...convert]))
  }
  const [we, they] = [medianCost(ours), medianCost(theirs)]
  console.log(`library of ${(statSync(library).size / 1e6).toFixed(0)} MB`)
  for (const [name, { seconds, cpuSeconds, megabytes }] of Object.entries({ ours: we, gsymutil: they })) {
    console.log(
      `  ${name.padEnd(9)} ${seconds.toFixed(2)} s, ${cpuSeconds.toFixed(2)} s of CPU, ${megabytes.toFixed(0)} MB`,
    )
  }
  const ratios = [we.seconds / they.seconds, we.cpuSeconds / they.cpuSeconds, we.megabytes / they.megabytes]
  const [time, cpu, memory] = ratios.map((ratio) => ratio.toFixed(2))
  console.log(`  ratio     time ${time} (wanted: 1.0), CPU ${cpu}, memory ${memory} (wanted: 0.35)`)
  return join(outDir, readdirSync(outDir).find((name) => name.endsWith('.lookup')) ?? '')
}

/** Addresses of functions of the library, at which both have an answer. */
function pickAddresses(lookupFile: string, count: number, seed: number): number[] {
  using lookup = openLookup(lookupFile)
  const random = createRandom(seed)
  const addresses: number[] = []
  while (addresses.length < count) {
    const address = lookup.textAddress + random(2 ** 25)
    if (lookup.findFrames(address - lookup.textAddress)[0]?.line) addresses.push(address)
  }
  return addresses
}

async function oneCrash(library: string, lookupFile: string): Promise<void> {
  const ours: number[] = []
  const theirs: Cost[] = []
  const buildId = '9c7fff405dc70e313eb5759c061f33993aceaa5c'
  for (let round = 0; round < 9; round++) {
    const addresses = pickAddresses(lookupFile, 20, round)
    const frames = addresses.map((address, index) => {
      const number = String(index).padStart(2, '0')
      return `      #${number} pc ${address.toString(16).padStart(16, '0')}  /data/app/libbig.so (BuildId: ${buildId})`
    })
    const head = [
      'pid: 1, tid: 1, name: main  >>> app <<<',
      'signal 11 (SIGSEGV), code 1 (SEGV_MAPERR), fault addr 0x0',
    ]
    const started = performance.now()
    const report = await symbolicate([...head, ...frames].join('\n'), {
      findImage: () => lookupFile,
      findMapping: () => undefined,
    })
    ours.push(performance.now() - started)
    if (report.threads[0]?.frames.some(({ line }) => line === null)) throw new Error('a frame was not resolved')
    if (round >= rounds) continue
    const list = join(folder, 'addresses.txt')
    writeFileSync(list, addresses.map((address) => `0x${address.toString(16)}\n`).join(''))
    theirs.push(measureCommand(folder, [`${llvm}/llvm-symbolizer`, `--obj=${library}`, '--inlining'], list))
  }
  const [we, they] = [median(ours), medianCost(theirs)]
  const first = `first one ${ours[0]?.toFixed(1)} ms`
  console.log(`crash of 20 frames ${we.toFixed(1)} ms in a running process, file not open (${first})`)
  console.log(`  llvm-symbolizer  ${(they.seconds * 1000).toFixed(0)} ms, ${they.megabytes.toFixed(0)} MB, a process`)
  console.log(`  ratio            1/${((they.seconds * 1000) / we).toFixed(0)} (wanted: 1/20)`)
}

function tombstone(): void {
  const fixtures = findFixtures('native')
  if (fixtures === undefined) return
  const bytes = gunzipSync(readFileSync(join(fixtures, 'events/real-sentry-java-tombstone.pb.gz')))
  const times: number[] = []
  const before = process.memoryUsage.rss()
  for (let round = 0; round < 9; round++) {
    const started = performance.now()
    parseProtobufTombstone(bytes)
    times.push(performance.now() - started)
  }
  const more = (process.memoryUsage.rss() - before) / 2 ** 20
  const spread = `first ${times[0]?.toFixed(1)} ms, ${more.toFixed(0)} MB more; wanted: 20 ms, 30 MB`
  console.log(
    `tombstone of ${(bytes.length / 1000).toFixed(0)} kB, Protocol Buffers: ${median(times).toFixed(1)} ms (${spread})`,
  )
}

tombstone()
const library = makeElf(folder, copies)
const lookupFile = build(library)
await oneCrash(library, lookupFile)
