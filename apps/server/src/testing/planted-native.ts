/** Builds a library of C++ with bugs six times, changes the build ids of symbols of Flutter, and invents crashes. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { requireAt } from '@fairlead/invariant'
import { createRandom, shuffle } from './planted-bugs.ts'

export interface PlantedUpload {
  body: Uint8Array<ArrayBuffer>
  headers?: Record<string, string>
}

export interface PlantedCrash {
  bug: string
  event: { event_id: string }
}

export interface PlantedNative {
  /** The symbols of each build. */
  builds: PlantedUpload[][]
  /** In random order. */
  crashes: PlantedCrash[]
}

interface Frame {
  address: number
}

interface Image {
  codeId: string
  name: string
  base: number
}

const bugs = 20
const builds = 6
const crashesPerBug = 6

/** Undefined where there is no compiler. */
export function plantCppBugs(seed: number): PlantedNative | undefined {
  const random = createRandom(seed)
  const folder = mkdtempSync(join(tmpdir(), 'fairlead-planted-'))
  try {
    const libraries = Array.from({ length: builds }, (_, build) => compile(folder, build, random))
    const crashes = Array.from({ length: bugs * crashesPerBug }, (_, at) => {
      const bug = at % bugs
      const { addresses, codeId } = requireAt(libraries, Math.floor(at / bugs) % builds)
      const image = {
        codeId,
        name: '/data/app/org.tarn/lib/x86_64/libharbour.so',
        base: 0x7f0000000000 + at * 0x100000,
      }
      const names = [`harbour::part${bug % 5}::step${bug}(int)`, ...callers(random)]
      const frames = names.map((name) => ({ address: image.base + (addresses.get(name) ?? 0) + 4 }))
      return { bug: `cpp ${bug}`, event: createEvent('SIGSEGV', image, frames, random) }
    })
    return { builds: libraries.map(({ body }) => [{ body }]), crashes: shuffle(crashes, random) }
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function callers(random: () => number): string[] {
  return Array.from({ length: 1 + Math.floor(random() * 4) }, () => {
    const bug = Math.floor(random() * bugs)
    return `harbour::part${bug % 5}::step${bug}(int)`
  })
}

/** Functions move from build to build: their order, the lines before them and the functions between them differ. */
function compile(folder: string, build: number, random: () => number) {
  const functions = shuffle(
    Array.from({ length: bugs }, (_, bug) => bug),
    random,
  )
  const source = functions.map((bug) => {
    const lines = '\n'.repeat(Math.floor(random() * 9))
    const filler = `${lines}int between${bug}(int x) { return x * ${build + bug + 3}; }\n`
    const body = `volatile int y = x + ${bug};\n  if (y == ${build}) y = *(volatile int *)(long)x;\n  return y;`
    const step = `namespace harbour::part${bug % 5} {\nint step${bug}(int x) {\n  ${body}\n}\n}\n`
    return random() < 0.5 ? filler + step : step
  })
  const [file, library] = [join(folder, `harbour${build}.cpp`), join(folder, `libharbour${build}.so`)]
  writeFileSync(file, source.join('\n'))
  const level = ['-O0', '-O1', '-O2'][build % 3] ?? '-O1'
  execFileSync('g++', ['-g', level, '-fPIC', '-shared', '-Wl,--build-id=sha1', '-o', library, file])
  const listed = execFileSync('nm', ['-C', '--defined-only', library], { encoding: 'utf8' })
  const addresses = new Map(
    [...listed.matchAll(/^([0-9a-f]+) [Tt] (.*)$/gm)].map(([, address = '', name = '']) => [
      name,
      Number(`0x${address}`),
    ]),
  )
  const body = new Uint8Array(readFileSync(library))
  const notes = execFileSync('readelf', ['-n', library], { encoding: 'utf8' })
  return { body, addresses, codeId: /Build ID: ([0-9a-f]{40})/.exec(notes)?.[1] ?? '' }
}

type TruthFrame = [name: string, file: string, line: number, column: number]

/** The symbols of two architectures of one real app, each as three builds with build ids of their own. */
export function plantDartBugs(seed: number, fixtures: string): PlantedNative {
  const random = createRandom(seed)
  const truth: {
    symbols: { file: string; buildId: string; addresses: [string, TruthFrame[], 1?][] }[]
  } = JSON.parse(readFileSync(join(fixtures, 'dart-truth.json'), 'utf8'))
  const made = truth.symbols.flatMap(({ file, buildId, addresses }, place) => {
    const bytes = gunzipSync(readFileSync(join(fixtures, `${file}.gz`)))
    return Array.from({ length: builds / 2 }, (_, build) => {
      const codeId = `${place}${build}`.padStart(buildId.length, buildId.slice(2))
      return { addresses, codeId, build: place * 3 + build, body: changeBuildId(bytes, buildId, codeId) }
    })
  })
  const isOwn = ([, file]: TruthFrame) => !/^dart:|^package:flutter\//.test(file)
  const crashes = made.flatMap(({ addresses, codeId, build }, at) => {
    const named = addresses.filter(
      ([, frames, artificial]) => artificial === undefined && frames.every(([name]) => name),
    )
    const sites = named.filter(([, frames]) => frames.some(isOwn))
    return sites.flatMap(([address, frames]) =>
      Array.from({ length: 2 }, (_, crash) => {
        const image = { codeId, name: 'libapp.so', base: 0x7a000000 + (at * 97 + crash) * 0x10000 }
        const others = Array.from({ length: 3 }, () => requireAt(named, Math.floor(random() * named.length)))
        const places = [address, ...others.map(([other]) => other)]
        const event = createEvent(
          shortName(build),
          image,
          places.map((one) => ({ address: image.base + Number(one) })),
          random,
        )
        return { bug: `dart ${frames.find(isOwn)?.[0]}`, event: { ...event, sdk: { name: 'sentry.dart.flutter' } } }
      }),
    )
  })
  const uploads = made.map(({ body, codeId, build }) => [
    { body },
    {
      body: new TextEncoder().encode(JSON.stringify(['HarbourException', shortName(build), 'Other', 'zz'])),
      headers: { 'X-Service-Debug-Id': toDebugId(codeId) },
    },
  ])
  return { builds: uploads, crashes: shuffle(crashes, random) }
}

/** The name that the class of the exception has in a build. */
function shortName(build: number): string {
  return `a${String.fromCharCode(97 + build)}`
}

function toDebugId(codeId: string): string {
  return codeId.replace(/^(..)(..)(..)(..)(..)(..)(..)(..)(.{4})(.{12})$/, '$4$3$2$1-$6$5-$8$7-$9-$10')
}

function changeBuildId(bytes: Buffer, buildId: string, codeId: string): Uint8Array<ArrayBuffer> {
  const changed = new Uint8Array(bytes)
  const [before, after] = [Buffer.from(buildId, 'hex'), Buffer.from(codeId, 'hex')]
  for (let at = bytes.indexOf(before); at >= 0; at = bytes.indexOf(before, at + 1)) changed.set(after, at)
  return changed
}

function createEvent(type: string, { codeId, name, base }: Image, frames: readonly Frame[], random: () => number) {
  const hex = (value: number) => `0x${value.toString(16)}`
  return {
    event_id: Array.from({ length: 32 }, () => Math.floor(random() * 16).toString(16)).join(''),
    timestamp: Date.now() / 1000 - Math.floor(random() * 86_400),
    platform: 'native',
    level: 'fatal',
    release: `org.tarn@2.${codeId.length}.0+7`,
    contexts: { os: { name: 'Android', version: '14' } },
    debug_meta: {
      images: [{ type: 'elf', code_id: codeId, code_file: name, image_addr: hex(base), image_size: 2 ** 24 }],
    },
    exception: {
      values: [
        {
          type,
          value: `attempt ${Math.floor(random() * 1000)}`,
          mechanism: { type: 'signalhandler', handled: false },
          stacktrace: {
            frames: frames.map(({ address }) => ({ platform: 'native', instruction_addr: hex(address) })).toReversed(),
          },
        },
      ],
    },
  }
}
