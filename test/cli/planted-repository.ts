/**
 * Invents a Kotlin project in a real Git repository, and its history: commits that change, move and reformat files, and
 * some that plant a bug. Where a bug crashes is read from the files of each build, so the truth is that of the code.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createRandom, shuffle } from '../../apps/server/src/testing/planted-bugs.ts'
import { requireAt, requireKey } from '@fairlead/invariant'
import { type Checkout, createCheckout } from './git-checkout.ts'

export interface PlantedBug {
  number: number
  path: string
  /** The commit that planted it. */
  commit: string
  /** The first build that has it, from 0. */
  build: number
}

/** A place in the code of one build. */
export interface CodePlace {
  path: string
  className: string
  method: string
  line: number
}

export interface PlantedRepository {
  checkout: Checkout
  bugs: PlantedBug[]
  /** The last commit of each build. */
  heads: string[]
  /** The place of a bug in a build. */
  findBug(build: number, bug: number): CodePlace
  /** Any other place of a build's code. */
  pickPlace(build: number): CodePlace
  owners: { content: string; find(path: string): string }
}

export const basePackage = 'org.tarn.ledger'

const areas = ['sync', 'cart', 'account', 'search', 'map', 'settings']
const filesPerArea = 8
const methodsPerFile = 8
const bodyLines = 5

/** Half of the areas leave out the folders of the common package, as Kotlin projects may. */
function toPath(area: string, name: string): string {
  const isShort = areas.indexOf(area) % 2 === 1
  return `app/src/main/kotlin/${isShort ? '' : 'org/tarn/ledger/'}${area}/${name}.kt`
}

function toClassName(path: string): string {
  const [area = '', file = ''] = path.split('/').slice(-2)
  return `${basePackage}.${area}.${file.replace('.kt', '')}`
}

export function plantRepository(
  folder: string,
  seed: number,
  { builds = 6, bugsPerBuild = 8 } = {},
): PlantedRepository {
  const random = createRandom(seed)
  const pick = <Item>(items: readonly Item[]) => requireAt(items, Math.floor(random() * items.length))
  const checkout = createCheckout(folder)
  const files = new Map<string, string[]>()
  for (const area of areas) {
    for (let at = 0; at < filesPerArea; at++) files.set(toPath(area, `${capitalize(area)}Part${at}`), writeClass(at))
  }
  const bugs: PlantedBug[] = []
  const bugMethods = new Set<string>()
  const heads: string[] = []
  const codes: Map<string, string[]>[] = []

  const commit = (subject: string, paths: readonly string[]) =>
    checkout.commit(subject, Object.fromEntries(paths.map((path) => [path, `${requireKey(files, path).join('\n')}\n`])))

  /** Adds, replaces or removes a plain line of a method. */
  const edit = (path: string) => {
    const lines = requireKey(files, path)
    const plain = [...lines.keys()].filter((at) => lines[at]?.includes('step('))
    const at = pick(plain)
    const kind = random()
    const added = `        step(${Math.floor(random() * 1e6)})`
    if (kind < 0.5) lines.splice(at, 1, added)
    else if (kind < 0.85 || plain.length < 20) lines.splice(at, 0, added, added.replace('(', '(1'))
    else lines.splice(at, 1)
  }

  const plant = (number: number, build: number) => {
    // Two bugs in one method would be one group.
    const free = [...files].flatMap(([path, lines]) =>
      [...lines.keys()]
        .filter((at) => lines[at]?.includes('step(') && !bugMethods.has(`${path} ${findMethod(lines, at)}`))
        .map((at) => ({ path, at })),
    )
    const { path, at } = pick(free)
    const lines = requireKey(files, path)
    bugMethods.add(`${path} ${findMethod(lines, at)}`)
    lines.splice(at, 1, `        check(isOpen) // bug ${number}`)
    const others = shuffle([...files.keys()], random).slice(0, Math.floor(random() * 4))
    for (const other of others) edit(other)
    bugs.push({ number, path, build, commit: commit(`Change ${number}`, [path, ...others]) })
  }

  commit('Begin', [...files.keys()])
  for (let build = 0; build < builds; build++) {
    const planted = build === 0 ? [] : Array.from({ length: bugsPerBuild }, (_, at) => (build - 1) * bugsPerBuild + at)
    const work = shuffle([...planted, ...Array.from({ length: 10 }, () => null)], random)
    for (const number of work) {
      if (number !== null) {
        plant(number, build)
        continue
      }
      const some = shuffle([...files.keys()], random).slice(0, 1 + Math.floor(random() * 5))
      for (const path of some) edit(path)
      commit('Work', some)
    }
    // A commit that touches everything, such as new heads of files, moves every line.
    if (build % 2 === 1) {
      for (const lines of files.values()) lines.unshift(`// ${build}`)
      commit('Reformat', [...files.keys()])
    }
    heads.push(checkout.git('rev-parse', 'HEAD'))
    codes.push(new Map([...files.keys()].map((path) => [path, readFileSync(join(folder, path), 'utf8').split('\n')])))
  }

  const toPlace = (lines: readonly string[], path: string, at: number): CodePlace => ({
    path,
    className: toClassName(path),
    method: findMethod(lines, at),
    line: at + 1,
  })
  return {
    checkout,
    bugs,
    heads,
    findBug(build, number) {
      const { path } = requireAt(
        bugs,
        bugs.findIndex((bug) => bug.number === number),
      )
      const lines = requireKey(requireAt(codes, build), path)
      return toPlace(
        lines,
        path,
        lines.findIndex((line) => line.endsWith(`// bug ${number}`)),
      )
    },
    pickPlace(build) {
      const code = requireAt(codes, build)
      const path = pick([...code.keys()])
      const lines = requireKey(code, path)
      return toPlace(lines, path, pick([...lines.keys()].filter((at) => lines[at]?.includes('step('))))
    },
    owners: {
      content: areas.map((area) => `**/${area}/ @team/${area}\n`).join(''),
      find: (path) => `@team/${path.split('/').at(-2)}`,
    },
  }
}

function findMethod(lines: readonly string[], at: number): string {
  const head = lines.slice(0, at).findLast((line) => line.includes('fun ')) ?? ''
  return /fun (\w+)/.exec(head)?.[1] ?? ''
}

function writeClass(seed: number): string[] {
  const methods = Array.from({ length: methodsPerFile }, (_, method) => [
    `    fun step${method}() {`,
    ...Array.from({ length: bodyLines }, (_line, at) => `        step(${seed * 1000 + method * 10 + at})`),
    '    }',
  ])
  return ['class Part {', ...methods.flat(), '}']
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
