/**
 * `node packages/symbols/bench/source-maps.ts`: positions of a source map of 30 MB, beside `source-map`, which opens
 * the map itself, and `@jridgewell/trace-mapping`, which holds it decoded. The peers are installed in a temporary
 * folder. Figures are CPU time, because other programs may run beside it.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { median } from './cost.ts'

const peers = ['source-map@0.7.6', '@jridgewell/trace-mapping@0.3.31']
const rounds = 5
const folder = mkdtempSync(join(tmpdir(), 'fairlead-source-maps-'))
const map = join(folder, 'app.js.map')

try {
  run('npm', ['install', '--no-audit', '--no-fund', '--prefix', folder, ...peers])
  writeFileSync(map, createMap())
  const program = join(import.meta.dirname, 'source-map-runs.ts')
  const measure = (what: string): Record<string, number> =>
    JSON.parse(run(process.execPath, [program, what, folder, map]))
  const figures = { build: measure('build'), first: [] as number[][], memory: 0, held: [] as number[][] }
  for (let round = 0; round < rounds; round++) {
    const [own, peer] = [measure('first'), measure('first-peer')]
    figures.first.push([toNumber(own, 'cpu'), toNumber(peer, 'cpu')])
    figures.memory = Math.max(figures.memory, toNumber(own, 'megabytes'))
    const held = measure('held')
    figures.held.push([toNumber(held, 'own'), toNumber(held, 'peer')])
  }
  const report = ([own, peer]: number[]) => `${own?.toFixed(1)} ms, peer ${peer?.toFixed(1)} ms`
  console.log(`map ${toMebibytes(statSync(map).size)}, lookup file ${toMebibytes(figures.build['bytes'] ?? NaN)}`)
  console.log(`building ${figures.build['cpu']?.toFixed(0)} ms, ${figures.build['megabytes']?.toFixed(0)} MB at most`)
  const ratio = (rows: number[][]) => median(rows.map(([own = NaN, peer = NaN]) => peer / own)).toFixed(1)
  console.log(`first position, with opening: ${figures.first.map(report).join('; ')}`)
  console.log(
    `  ratio            1/${ratio(figures.first)} (wanted: 1/10); ${figures.memory.toFixed(0)} MB (wanted: 150)`,
  )
  console.log(`10,000 positions of a held map: ${figures.held.map(report).join('; ')}`)
  console.log(`  ratio            ${ratio(figures.held)} × as fast (wanted: 1)`)
} finally {
  rmSync(folder, { recursive: true })
}

function run(command: string, words: string[]): string {
  const { status, stdout, stderr } = spawnSync(command, words, { encoding: 'utf8', maxBuffer: 2 ** 26 })
  if (status !== 0) throw new Error(`${command} failed: ${stderr}`)
  return stdout
}

function toNumber(figures: Record<string, number>, name: string): number {
  return figures[name] ?? NaN
}

function toMebibytes(bytes: number): string {
  return `${(bytes / 2 ** 20).toFixed(1)} MiB`
}

/** 4,000 modules with their text, each on a line of its own, with 1.6 million segments and 30,000 names in all. */
function createMap(): string {
  const random = createRandom(42)
  const names = Array.from({ length: 30_000 }, (_, place) => `name${place.toString(36)}Of${random(1000)}`)
  const sources: string[] = []
  const sourcesContent: string[] = []
  const lines: string[] = []
  let [source, line, column, name] = [0, 0, 0, 0]
  for (let module = 0; module < 4000; module++) {
    sources.push(`webpack://shop/src/feature${module % 97}/module${module}.ts`)
    let text = ''
    while (text.length < 4600)
      text += `export function ${names[random(30_000)]}(a: number) {\n  return ${random(1e9)}\n}\n`
    sourcesContent.push(text)
    let [nextLine, nextColumn] = [0, 0]
    const segments: string[] = []
    for (let place = 0; place < 400; place++) {
      if (random(4) === 0) {
        nextLine++
        nextColumn = random(12)
      } else nextColumn += 1 + random(10)
      const numbers = [place === 0 ? 0 : 1 + random(18), module - source, nextLine - line, nextColumn - column]
      ;[source, line, column] = [module, nextLine, nextColumn]
      if (random(3) === 0) {
        const nextName = random(30_000)
        numbers.push(nextName - name)
        name = nextName
      }
      segments.push(numbers.map(toVlq).join(''))
    }
    lines.push(segments.join(','))
  }
  return JSON.stringify({ version: 3, sources, sourcesContent, names, mappings: lines.join(';') })
}

function toVlq(value: number): string {
  const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
  let rest = value < 0 ? (-value << 1) | 1 : value << 1
  let text = ''
  do {
    const digit = rest & 31
    rest >>>= 5
    text += digits.charAt(rest > 0 ? digit | 32 : digit)
  } while (rest > 0)
  return text
}

function createRandom(start: number): (below: number) => number {
  let state = start
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) & 0x7fffffff
    return state % below
  }
}
