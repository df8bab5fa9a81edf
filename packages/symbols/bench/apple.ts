/**
 * Compares lookup files with llvm-gsymutil and llvm-symbolizer: `node packages/symbols/bench/apple.ts [folder]`. It
 * needs these Debian packages: clang-16, lld-16, llvm-19, time, zip. Runs alternate and figures are medians, so that
 * other load on the machine affects all of them alike.
 */
import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { requireAt } from '@fairlead/invariant'
import { openLookup, symbolicate } from '../src/index.ts'
import { createRandom } from '../test/random.ts'
import { type Cost, median, measureCommand, medianCost } from './cost.ts'
import { makeDsym } from './make-dsym.ts'

const folder = process.argv[2] ?? join(tmpdir(), 'fairlead-bench-symbols')
const rounds = 5
const llvm = '/usr/lib/llvm-19/bin'
const { dwarf, zip } = makeDsym(folder)
const outDir = join(folder, 'out')
const gsym = join(folder, 'big.gsym')

const measure = (command: string[], input?: string) => measureCommand(folder, command, input)

function build(): string {
  const ours: Cost[] = []
  const theirs: Cost[] = []
  for (let round = 0; round < rounds; round++) {
    rmSync(outDir, { recursive: true, force: true })
    mkdirSync(outDir)
    ours.push(measure([process.execPath, join(import.meta.dirname, 'index-once.ts'), zip, outDir]))
    theirs.push(measure([`${llvm}/llvm-gsymutil`, '--num-threads=1', `--convert=${dwarf}`, '--quiet', '-o', gsym]))
  }
  const lookupFile = join(outDir, readdirSync(outDir).find((name) => name.endsWith('.lookup')) ?? '')
  const [we, they] = [medianCost(ours), medianCost(theirs)]
  const [size, theirSize] = [statSync(lookupFile).size / 1e6, statSync(gsym).size / 1e6]
  console.log(`build from zip     ${formatCost(we)}, file ${size.toFixed(1)} MB`)
  console.log(`llvm-gsymutil      ${formatCost(they)}, file ${theirSize.toFixed(1)} MB`)
  const times = `time ${(we.seconds / they.seconds).toFixed(2)}, CPU ${(we.cpuSeconds / they.cpuSeconds).toFixed(2)}`
  const sizes = `memory ${(we.megabytes / they.megabytes).toFixed(2)}, size ${(size / theirSize).toFixed(2)}`
  console.log(`  ratio            ${times}, ${sizes}`)
  printSingle('build ÷ llvm-gsymutil', ours, theirs)
  return lookupFile
}

/** Prints the ratio of each round, by elapsed time and by CPU time, because a median hides the spread. */
function printSingle(title: string, some: readonly Cost[], others: readonly Cost[]): void {
  const ratios = some.map(({ seconds, cpuSeconds }, round) => {
    const other = requireAt(others, round)
    return `${(seconds / other.seconds).toFixed(2)} (${(cpuSeconds / other.cpuSeconds).toFixed(2)})`
  })
  console.log(`  ${title}, each round, by CPU in brackets: ${ratios.join(', ')}`)
}

function pickOffsets(lookupFile: string, count: number, seed: number): number[] {
  using lookup = openLookup(lookupFile, { cacheBytes: 256 * 1024 * 1024 })
  const random = createRandom(seed)
  const offsets: number[] = []
  while (offsets.length < count) {
    const offset = 0x4000 + random(5_000_000) * 4
    if (lookup.findFrames(offset).length > 0) offsets.push(offset)
  }
  return offsets
}

async function oneCrash(lookupFile: string): Promise<void> {
  const ours: number[] = []
  const theirs: number[] = []
  let uuid: string
  {
    using lookup = openLookup(lookupFile)
    uuid = lookup.uuid
  }
  for (let round = 0; round < 21; round++) {
    const offsets = pickOffsets(lookupFile, 20, round)
    const base = 0x104d48000
    const frames = offsets.map(
      (offset, index) => `${index} Big 0x${(base + offset).toString(16)} 0x${base.toString(16)} + ${offset}`,
    )
    const image = `0x${base.toString(16)} - 0x${(base + 0x10000000).toString(16)} Big arm64 <${uuid}> /Big`
    const text = ['Incident Identifier: 1', 'Thread 0 Crashed:', ...frames, '', 'Binary Images:', image, ''].join('\n')
    const start = performance.now()
    const report = await symbolicate(text, { findImage: () => lookupFile, findMapping: () => undefined })
    ours.push(performance.now() - start)
    if (report.threads[0]?.frames.some(({ function: name }) => name === null))
      throw new Error('a frame was not resolved')
    if (round % 4 !== 0) continue
    const list = join(folder, 'addresses.txt')
    writeFileSync(list, offsets.map((offset) => `0x${offset.toString(16)}\n`).join(''))
    const begin = performance.now()
    measure([`${llvm}/llvm-symbolizer`, `--obj=${dwarf}`, '--inlining'], list)
    theirs.push(performance.now() - begin)
  }
  const [we, they] = [median(ours), median(theirs)]
  const first = `first one ${ours[0]?.toFixed(1)} ms`
  console.log(`crash of 20 frames ${we.toFixed(1)} ms in a running process, file not yet open (${first})`)
  console.log(`llvm-symbolizer    ${they.toFixed(0)} ms, a process`)
  console.log(`  ratio            1/${(they / we).toFixed(0)}`)
}

function stream(lookupFile: string): void {
  const count = 100_000
  const offsets = pickOffsets(lookupFile, count, 1)
  const list = join(folder, 'addresses.txt')
  const gsymList = join(folder, 'gsym-addresses.txt')
  writeFileSync(list, offsets.map((offset) => `0x${offset.toString(16)}\n`).join(''))
  writeFileSync(gsymList, offsets.map((offset) => `0x${offset.toString(16)} ${gsym}\n`).join(''))
  const ours: Cost[] = []
  const gsyms: Cost[] = []
  const symbolizers: Cost[] = []
  const ourNames: Cost[] = []
  const theirNames: Cost[] = []
  const streamer = join(import.meta.dirname, 'stream-addresses.ts')
  const symbolizer = [`${llvm}/llvm-symbolizer`, `--obj=${dwarf}`, '--inlining']
  for (let round = 0; round < rounds; round++) {
    ours.push(measure([process.execPath, streamer, lookupFile, 'linkage'], list))
    gsyms.push(measure([`${llvm}/llvm-gsymutil`, '--addresses-from-stdin'], gsymList))
    symbolizers.push(measure([...symbolizer, '--no-demangle'], list))
    ourNames.push(measure([process.execPath, streamer, lookupFile], list))
    theirNames.push(measure(symbolizer, list))
  }
  printRates('100,000 addresses', count, { ours, gsymutil: gsyms, symbolizer: symbolizers })
  printSingle('llvm-gsymutil ÷ ours', gsyms, ours)
  printSingle('llvm-symbolizer ÷ ours', symbolizers, ours)
  printRates('the same, demangled', count, { ours: ourNames, symbolizer: theirNames })
  printSingle('llvm-symbolizer ÷ ours', theirNames, ourNames)
}

function formatCost({ seconds, cpuSeconds, megabytes }: Cost): string {
  return `${seconds.toFixed(2)} s (${cpuSeconds.toFixed(2)} s of CPU), ${megabytes.toFixed(0)} MB`
}

function printRates(title: string, count: number, all: Record<string, Cost[]>): void {
  console.log(`${title}, start of the process included`)
  const own = medianCost(all['ours'] ?? [])
  for (const [name, costs] of Object.entries(all)) {
    const { seconds, cpuSeconds, megabytes } = medianCost(costs)
    const [times, byCpu] = [seconds / own.seconds, cpuSeconds / own.cpuSeconds].map((ratio) => ratio.toFixed(2))
    const ratio = name === 'ours' ? '' : `; we are ${times} × as fast, ${byCpu} × by CPU`
    const rate = `${(count / seconds / 1000).toFixed(0)} k/s`
    console.log(`  ${name.padEnd(16)} ${rate}, ${cpuSeconds.toFixed(2)} s of CPU, ${megabytes.toFixed(0)} MB${ratio}`)
  }
}

const lookupFile = build()
await oneCrash(lookupFile)
stream(lookupFile)
