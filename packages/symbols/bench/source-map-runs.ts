/** One run of the benchmark of source maps, in a process of its own: prints its figures as JSON. */
import { rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { buildSourceMap } from '../src/sourcemap/build-source-map.ts'
import { openSourceMap } from '../src/sourcemap/source-map.ts'

const [what = '', folder = '', map = ''] = process.argv.slice(2)
const lookupFile = join(folder, 'source-map.map-lookup')
const position = { line: 2001, column: 1500 }

const readCpu = () => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
const readPeer = (path: string) => import(pathToFileURL(join(folder, 'node_modules', path)).href)
const readMemory = () => process.resourceUsage().maxRSS / 1024

const runs: Record<string, () => Promise<Record<string, number>>> = {
  async build() {
    rmSync(lookupFile, { force: true })
    const start = readCpu()
    const { lookupBytes } = buildSourceMap(map, lookupFile)
    return { cpu: readCpu() - start, bytes: lookupBytes, megabytes: readMemory() }
  },
  async first() {
    const start = readCpu()
    using open = openSourceMap(lookupFile)
    open.find(position)
    return { cpu: readCpu() - start, megabytes: readMemory() }
  },
  async 'first-peer'() {
    const { SourceMapConsumer } = await readPeer('source-map/source-map.js')
    const start = readCpu()
    const consumer = await new SourceMapConsumer(await readFile(map, 'utf8'))
    consumer.originalPositionFor(position)
    return { cpu: readCpu() - start, megabytes: readMemory() }
  },
  async held() {
    const { TraceMap, originalPositionFor } = await readPeer('@jridgewell/trace-mapping/dist/trace-mapping.mjs')
    const positions = Array.from({ length: 10_000 }, (_, place) => {
      return { line: 1 + ((place * 7919) % 4000), column: (place * 104_729) % 3800 }
    })
    const traced = new TraceMap(JSON.parse(await readFile(map, 'utf8')))
    using open = openSourceMap(lookupFile)
    const measure = (find: (of: { line: number; column: number }) => unknown) => {
      const start = readCpu()
      for (const one of positions) find(one)
      return readCpu() - start
    }
    const findTraced = (one: { line: number; column: number }) => originalPositionFor(traced, one)
    const findOwn = (one: { line: number; column: number }) => open.find(one)
    // The maps are held, so both have answered before.
    for (let warm = 0; warm < 3; warm++) {
      measure(findTraced)
      measure(findOwn)
    }
    const times = { own: [] as number[], peer: [] as number[] }
    for (let round = 0; round < 9; round++) {
      times.peer.push(measure(findTraced))
      times.own.push(measure(findOwn))
    }
    const median = (list: number[]) => list.toSorted((a, b) => a - b)[4] ?? NaN
    return { own: median(times.own), peer: median(times.peer) }
  },
}

console.log(JSON.stringify(await runs[what]?.()))
