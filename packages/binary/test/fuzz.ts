/**
 * Fuzzes the readers with damaged builds and reports anything other than a result or a BinaryError.
 *
 *   node packages/binary/test/fuzz.ts [inputs = 50000] [seed = 1]
 *
 * Every input is a real or generated build, damaged either as a file or inside one of its parts. A damaged part is
 * compressed again, so that the damage reaches the parser behind the decompression. The same seed gives the same
 * inputs.
 */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { requireAt } from '@fairlead/invariant'
import { writeApk, writeIpa, writeZip } from '../src/fixture/fixture.ts'
import { BinaryError, openZip, parsePlist, readApp } from '../src/index.ts'
import { readIcon, toPortableImage } from '../src/read-icon.ts'
import { fixturesFolder } from './fixtures.ts'
import { createRandom, mutate, type Random } from './mutate.ts'

const largestFile = 256 * 1024
const largestPart = 128 * 1024
/** Names of the files in a build that the readers parse. */
const parsedFiles = [
  /(^|\/)(AndroidManifest\.xml|resources\.(arsc|pb)|CERT\.[A-Z]+)$/i,
  /(^|\/)(Info\.plist|InfoPlist\.strings|embedded\.mobileprovision)$/i,
  /icon[^/]*\.(png|xml)$/i,
]
const isParsed = (name: string) => parsedFiles.some((pattern) => pattern.test(name))

type Input = { kind: 'build' | 'plist' | 'image'; bytes: Buffer }

export interface FuzzResult {
  inputs: number
  answers: number
  /** Number of inputs per error code. */
  errors: Record<string, number>
  slowestMs: number
  /** Inputs, by number, that gave anything else. */
  faults: { input: number; error: unknown }[]
}

export async function fuzz(inputs: number, seed: number): Promise<FuzzResult> {
  const seeds = listSeeds()
  const result: FuzzResult = { inputs, answers: 0, errors: {}, slowestMs: 0, faults: [] }
  for (let input = 0; input < inputs; input++) {
    const random = createRandom(seed * 1_000_003 + input)
    const { kind, bytes } = damage(requireAt(seeds, random(seeds.length)), random)
    const started = performance.now()
    try {
      await read(kind, bytes, random(4) === 0)
      result.answers++
    } catch (error) {
      if (error instanceof BinaryError) result.errors[error.code] = (result.errors[error.code] ?? 0) + 1
      else result.faults.push({ input, error })
    }
    result.slowestMs = Math.max(result.slowestMs, performance.now() - started)
  }
  return result
}

async function read(kind: Input['kind'], bytes: Buffer, verify: boolean): Promise<void> {
  if (kind === 'plist') return void parsePlist(bytes)
  if (kind === 'image') return void toPortableImage(bytes)
  const app = await readApp(bytes, { verify })
  JSON.stringify(app)
  if (app.icon) await readIcon(bytes, app.icon)
}

/** Returns small builds unchanged; of large ones it packs together only the parts that are read. */
function listSeeds(): Input[] {
  const own = [
    writeApk({ labels: { de: 'Muster' }, permissions: ['android.permission.INTERNET'], schemes: ['v2', 'v3'] }),
    ...(['development', 'ad-hoc'] as const).map((type) => writeIpa({ names: { de: 'Muster' }, profile: { type } })),
  ].map((bytes): Input => ({ kind: 'build', bytes }))
  const folder = fixturesFolder
  if (folder === undefined) return own
  const list = (pattern: string) => globSync(pattern, { cwd: folder }).map((name) => readFileSync(join(folder, name)))
  return [
    ...own,
    ...list('**/*.{apk,ipa,aab,apks,xapk}').flatMap((bytes) => toSeed(bytes)),
    ...list('malicious/plist/*').map((bytes): Input => ({ kind: 'plist', bytes })),
    ...list('malicious/png/*').map((bytes): Input => ({ kind: 'image', bytes })),
  ]
}

function toSeed(bytes: Buffer): Input[] {
  if (bytes.length <= largestFile) return [{ kind: 'build', bytes }]
  try {
    return [{ kind: 'build', bytes: repack(bytes, (_, data) => data) }]
  } catch {
    return []
  }
}

function damage({ kind, bytes }: Input, random: Random): Input {
  if (kind !== 'build' || random(3) === 0) return { kind, bytes: mutate(bytes, random) }
  try {
    const target = random(8)
    return {
      kind,
      bytes: repack(bytes, (index, data) =>
        index % 8 === target % 8 || random(4) === 0 ? mutate(data, random) : data,
      ),
    }
  } catch {
    return { kind, bytes: mutate(bytes, random) }
  }
}

function repack(bytes: Buffer, change: (index: number, data: Buffer) => Buffer): Buffer {
  const archive = openZip(bytes, { onOddity: () => {} })
  const parts = archive.entries.filter(
    ({ name, uncompressedSize }) => isParsed(name) && uncompressedSize <= largestPart,
  )
  const files = parts.slice(0, 24).map((entry, index) => ({
    name: entry.name,
    data: change(index, archive.readEntry(entry, largestPart)),
  }))
  if (files.length === 0) throw new Error('nothing to damage')
  return writeZip(files)
}

if (import.meta.main) {
  const [inputs = '50000', seed = '1'] = process.argv.slice(2)
  const result = await fuzz(Number(inputs), Number(seed))
  console.log(JSON.stringify({ ...result, faults: result.faults.length }, undefined, 2))
  for (const { input, error } of result.faults.slice(0, 5)) console.error(input, error)
  process.exitCode = result.faults.length === 0 ? 0 : 1
}
