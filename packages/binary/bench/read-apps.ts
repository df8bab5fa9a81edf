/**
 * Compares `readApp` with `aapt dump badging` (one process per file) and app-info-parser (warm, in a process of its
 * own) on real APKs, in one run and in turns. It then reads files of 1, 3 and 5 GB, and hostile ones.
 *
 *   taskset -c 1 node --expose-gc packages/binary/bench/read-apps.ts
 */
import { globSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { writeApk, writeSparseApk } from '../src/fixture/fixture.ts'
import { createAppReader, readApp } from '../src/index.ts'
import { fixturesFolder, listFixtures } from '../test/fixtures.ts'
import { openTemporaryFolder } from '../test/temporary-folder.ts'
import { growth, median, type PeerRun, quantile, runPeer, time, timeAapt } from './measure.ts'

const rounds = 15

/** The seven fields that every reader gives, as text; a missing field is the empty string. */
function fieldsOf(truth: Record<string, unknown>): string[] {
  const keys = ['package', 'versionCode', 'versionName', 'minSdk', 'targetSdk', 'label', 'debuggable']
  return keys.map((key) => JSON.stringify(truth[key] ?? '').replaceAll('"', ''))
}

async function ourFields(path: string): Promise<string[]> {
  const app = await readApp(path)
  const label = app.name === app.bundleIdentifier ? '' : app.name
  const { bundleIdentifier, version, shortVersion, minOsVersion, targetOsVersion, debuggable } = app
  return [bundleIdentifier, version, shortVersion, minOsVersion, targetOsVersion, label, String(debuggable)].map(
    (field) => field ?? '',
  )
}

using folder = openTemporaryFolder()
await using reader = createAppReader()
const real = fixturesFolder === undefined ? [] : globSync(join(fixturesFolder, '*.apk')).sort()
const paths = real.length > 0 ? real : [folder.write('sample.apk', writeApk())]
const readable: string[] = []
for (const path of paths)
  if (
    await readApp(path).then(
      () => true,
      () => false,
    )
  )
    readable.push(path)

console.log('| APK | KB | readApp | in a worker | verified | aapt | app-info-parser |\n|---|--:|--:|--:|--:|--:|--:|')
const ours: number[] = []
const medians: { ours: number; aapt: number; peer: PeerRun }[] = []
let known = 0
let oursRight = 0
let peerRight = 0
for (const path of readable) {
  const direct: number[] = []
  const viaWorker: number[] = []
  const verified: number[] = []
  const aapt: number[] = []
  for (let round = 0; round < rounds; round++) {
    direct.push(await time(() => readApp(path)))
    viaWorker.push(await time(() => reader.readApp(path)))
    verified.push(await time(() => readApp(path, { verify: true })))
    aapt.push(timeAapt(path))
  }
  const peer = await runPeer(path, rounds)
  const truth = fieldsOf(listFixtures().find((row) => row.path === path)?.truth ?? {})
  if (truth[0] !== '') known++
  if (truth.join('\n') === (await ourFields(path)).join('\n')) oursRight++
  if (truth.join('\n') === peer.fields.map((field) => (field === 'undefined' ? '' : field)).join('\n')) peerRight++
  ours.push(...direct)
  medians.push({ ours: median(direct), aapt: median(aapt), peer })
  const size = statSync(path).size
  if (size < 150_000) continue
  const columns = [direct, viaWorker, verified, aapt].map((times) => median(times).toFixed(1))
  const peerColumn = peer.ms?.toFixed(1) ?? (peer.neverEnds ? 'never ends' : 'fails')
  console.log(`| ${[basename(path), (size / 1024).toFixed(0), ...columns, peerColumn].join(' | ')} |`)
}

const peers = medians.map(({ peer }) => peer.ms).filter((ms) => ms !== undefined)
const slower = medians.filter(({ ours, aapt }) => ours >= aapt).length
console.log(
  `\n${readable.length} APKs: readApp median ${median(ours).toFixed(2)} ms, p95 ${quantile(ours, 0.95).toFixed(2)} ms`,
)
console.log(
  `aapt with its process start: median ${median(medians.map(({ aapt }) => aapt)).toFixed(1)} ms;`,
  `readApp is slower on ${slower} of them`,
)
console.log(
  `app-info-parser: median ${median(peers).toFixed(1)} ms on the ${peers.length} that it reads;`,
  `it never ends on ${medians.filter(({ peer }) => peer.neverEnds).length}`,
)

console.log(
  `Of ${known} APKs with known values, package, versions, SDKs, label and debuggable are all correct on`,
  `${oursRight} by readApp and on ${peerRight} by app-info-parser`,
)

console.log('\n| Size | readApp | memory grows by |\n|---|--:|--:|')
for (const gigabytes of [0, 1, 3, 5]) {
  const path = folder.path(`${gigabytes}.apk`)
  writeSparseApk(path, gigabytes * 1024 ** 3)
  const times: number[] = []
  const grown = await growth(async () => {
    for (let round = 0; round < rounds; round++) times.push(await time(() => readApp(path)))
  })
  console.log(
    `| ${gigabytes === 0 ? 'small' : `${gigabytes} GB`} | ${median(times).toFixed(2)} ms | ${grown.toFixed(1)} MB |`,
  )
}

if (fixturesFolder !== undefined) {
  const hostile = globSync(join(fixturesFolder, 'malicious/**/*.{apk,ipa}')).sort()
  const times: number[] = []
  const grown: number[] = []
  for (const path of hostile) {
    grown.push(await growth(async () => times.push(await time(() => readApp(path).catch(() => undefined)))))
  }
  const viaWorker: number[] = []
  for (const path of hostile) viaWorker.push(await time(() => reader.readApp(path).catch(() => undefined)))
  console.log(
    `\n${hostile.length} hostile builds: slowest ${Math.max(...times).toFixed(0)} ms,`,
    `in a worker ${Math.max(...viaWorker).toFixed(0)} ms; memory grows by at most ${Math.max(...grown).toFixed(0)} MB`,
  )
}
