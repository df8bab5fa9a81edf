/**
 * Compares lookup files of ELF libraries with llvm-gsymutil and llvm-symbolizer, and reads a tombstone:
 * `node packages/symbols/bench/native.ts [folder]`. It needs these Debian packages: g++, llvm-19, time. Runs alternate
 * and figures are medians, so that other load on the machine affects all of them alike.
 */
import { execFileSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { openLookup, symbolicate } from '../src/index.ts'
import { parseProtobufTombstone } from '../src/tombstone/parse-protobuf.ts'
import { findFixtures } from '../test/fixtures.ts'
import { createRandom } from '../test/random.ts'
import { type Cost, measureCommand, median, medianCost } from './cost.ts'

const folder = process.argv[2] ?? join(tmpdir(), 'fairlead-bench-native')
const rounds = Number(process.env['ROUNDS'] ?? 3)
const copies = Number(process.env['COPIES'] ?? 12)
const llvm = '/usr/lib/llvm-19/bin'
const library = join(folder, 'libbig.so')
const outDir = join(folder, 'out')
const gsym = join(folder, 'big.gsym')

const source = `
#include <algorithm>
#include <functional>
#include <map>
#include <regex>
#include <string>
#include <vector>
namespace {
template <int N> struct Part {
  std::map<int, std::string> names;
  std::vector<std::function<int(int)>> steps;
  int run(int x) {
    for (auto &step : steps) x = step(x);
    names[x] = std::to_string(x * N);
    std::sort(steps.begin(), steps.end(), [](auto &a, auto &b) { return (bool)a < (bool)b; });
    return x + (int)names.size();
  }
};
template <int N> __attribute__((noinline)) int useParts(int x) {
  Part<N> part;
  part.steps.push_back([x](int y) { return x * y + N; });
  return part.run(x) + useParts<N - 1>(x);
}
template <> int useParts<0>(int x) { return x; }
__attribute__((used)) int start(int x) {
  return useParts<120>(x) + std::regex_match(std::to_string(x), std::regex("a+b"));
}
}
`

/** Compiles one unit, whose functions are all local, and links it many times. */
function makeLibrary(): void {
  if (existsSync(library)) return
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'unit.cpp'), source)
  const unit = join(folder, 'unit.o')
  execFileSync('g++', ['-g', '-O1', '-fPIC', '-c', join(folder, 'unit.cpp'), '-o', unit])
  const units = Array.from({ length: copies }, (_, copy) => join(folder, `unit${copy}.o`))
  for (const file of units) copyFileSync(unit, file)
  execFileSync('g++', ['-shared', '-Wl,--build-id=sha1', '-o', library, ...units])
  for (const file of [unit, ...units]) rmSync(file)
}

function build(): string {
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
  console.log(`  ratio     time ${time}, CPU ${cpu}, memory ${memory}`)
  return join(outDir, readdirSync(outDir).find((name) => name.endsWith('.lookup')) ?? '')
}

/** Addresses of functions of the library, at which both have an answer. */
function pickAddresses(lookupFile: string, count: number, seed: number): number[] {
  using lookup = openLookup(lookupFile)
  const random = createRandom(seed)
  const addresses: number[] = []
  while (addresses.length < count) {
    const address = lookup.textAddress + 0x1000 + random(2 ** 22)
    if (lookup.findFrames(address - lookup.textAddress).some(({ file }) => file !== undefined)) addresses.push(address)
  }
  return addresses
}

async function oneCrash(lookupFile: string): Promise<void> {
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
  console.log(`  ratio            1/${((they.seconds * 1000) / we).toFixed(0)}`)
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
  const spread = `first ${times[0]?.toFixed(1)} ms, ${more.toFixed(0)} MB more`
  console.log(
    `tombstone of ${(bytes.length / 1000).toFixed(0)} kB, Protocol Buffers: ${median(times).toFixed(1)} ms (${spread})`,
  )
}

tombstone()
makeLibrary()
const lookupFile = build()
await oneCrash(lookupFile)
