/** Packs an app of JavaScript with bugs six times, as a real bundler minifies it, and runs it until each bug throws. */
import { join } from 'node:path'
import { createContext, runInContext } from 'node:vm'
import { rolldown } from 'rolldown'
import { createRandom, shuffle } from './planted-bugs.ts'
import type { PlantedCrash, PlantedNative } from './planted-native.ts'

const bugs = 20
const builds = 6
/** The places from which each function with a bug is called, so that the bundler does not write it into its caller. */
const callers = 3

interface Packed {
  code: string
  map: string
}

export async function plantJavaScriptBugs(seed: number): Promise<PlantedNative> {
  const random = createRandom(seed)
  const uploads: PlantedNative['builds'] = []
  const crashes: PlantedCrash[] = []
  for (let build = 0; build < builds; build++) {
    const { code, map } = await pack(writeSources(build, random))
    const release = { 'X-Service-Package': 'shop', 'X-Service-Version-Name': `1.${build}.0` }
    const headers = { ...release, 'X-Service-Bundle-Name': 'shop.js' }
    uploads.push([{ body: new TextEncoder().encode(map), headers }])
    for (let bug = 0; bug < bugs; bug++) {
      const stack = throwIn(code, `screen${bug}_${Math.floor(random() * callers)}`)
      crashes.push({ bug: `javascript ${bug}`, event: createEvent(build, stack, random) })
    }
  }
  return { builds: uploads, crashes: shuffle(crashes, random) }
}

/** Functions move from build to build, and so do the short names that the bundler gives them. */
function writeSources(build: number, random: () => number): Map<string, string> {
  const order = shuffle(
    Array.from({ length: bugs }, (_, bug) => bug),
    random,
  )
  const parts = Array.from({ length: 5 }, () => '')
  for (const bug of order) {
    const lines = '\n'.repeat(Math.floor(random() * 9))
    const filler = `${lines}export function between${bug}(x) {\n  return x.length * ${build + bug + 3}\n}\n`
    const step = `export function step${bug}(x) {\n  let sum = 0
  for (const one of [${bug}, ${bug + 1}]) sum += x.at(one)\n  return sum\n}\n`
    parts[bug % 5] += random() < 0.5 ? filler + step : step
  }
  const screens = shuffle(
    order.flatMap((bug) => Array.from({ length: callers }, (_, caller) => [bug, caller] as const)),
    random,
  ).map(([bug, caller]) => {
    // A library such as React calls a function of the app by a name of its own.
    const call = bug % 2 === 0 ? `part${bug % 5}.step${bug}(x)` : `render(part${bug % 5}.step${bug}, x)`
    return `  screen${bug}_${caller}: (x) => ${call} + ${caller},\n`
  })
  const library = `export function render(Component, x) {\n  const shown = Component(x)\n  return shown.trim()\n}\n`
  const imports = ["import { render } from './view.js'\n"]
  imports.push(...parts.map((_, part) => `import * as part${part} from './part${part}.js'\n`))
  const main = `${imports.join('')}globalThis.screens = {\n${screens.join('')}}\n`
  const own = parts.map((text, part) => [`part${part}.js`, text] as const)
  return new Map([['main.js', main], ['view.js', library], ...own])
}

async function pack(sources: ReadonlyMap<string, string>): Promise<Packed> {
  const root = '/shop/src'
  const bundle = await rolldown({
    input: join(root, 'main.js'),
    plugins: [
      {
        name: 'sources-in-memory',
        resolveId: (id) => join(id.endsWith('view.js') ? '/shop/node_modules/view' : root, id.split('/').at(-1) ?? ''),
        load: (id) => sources.get(id.split('/').at(-1) ?? ''),
      },
    ],
  })
  const { output } = await bundle.generate({ format: 'iife', minify: true, sourcemap: true, file: 'shop.js' })
  await bundle.close()
  const [{ code, map }] = output
  return { code, map: JSON.stringify(map) }
}

/** The stack with which a function of the bundle fails. */
function throwIn(code: string, screen: string): string {
  const context = createContext({})
  runInContext(code, context, { filename: 'https://shop.example/assets/shop.js' })
  const stack: unknown = runInContext(`try { screens.${screen}(null); '' } catch (error) { error.stack }`, context)
  if (typeof stack !== 'string' || stack === '') throw new Error(`${screen} did not fail`)
  return stack
}

function createEvent(build: number, stack: string, random: () => number) {
  const [head = '', ...lines] = stack.split('\n')
  const frames = lines.flatMap((line) => {
    const [, name, path, lineno, colno] = /^\s*at (?:(.+?) \()?(https:\S+?):(\d+):(\d+)\)?$/.exec(line) ?? []
    if (path === undefined) return []
    return { function: name ?? '?', filename: path, abs_path: path, lineno: Number(lineno), colno: Number(colno) }
  })
  const [type = '', value = ''] = head.split(': ')
  return {
    event_id: Array.from({ length: 32 }, () => Math.floor(random() * 16).toString(16)).join(''),
    timestamp: Date.now() / 1000 - Math.floor(random() * 86_400),
    platform: 'javascript',
    level: 'error',
    release: `shop@1.${build}.0`,
    exception: {
      values: [
        { type, value, mechanism: { type: 'onerror', handled: false }, stacktrace: { frames: frames.toReversed() } },
      ],
    },
  }
}
