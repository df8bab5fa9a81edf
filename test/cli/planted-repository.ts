/**
 * Invents a Kotlin project in a real Git repository, and its history: commits that change, move and reformat files, and
 * some that plant a bug. Where a bug crashes is read from the files of each build, so the truth is that of the code.
 *
 * Only some bugs crash on the line that their commit has changed. Others are as bugs are elsewhere: a caller passes
 * what an old function does not expect, a field is wrong that an old line reads, the file was renamed since, or
 * colleagues have changed the lines beside it.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createRandom, shuffle } from '../../apps/server/src/testing/planted-bugs.ts'
import { requireAt, requireKey } from '@fairlead/invariant'
import { type Checkout, createCheckout } from './git-checkout.ts'

export const bugKinds = ['line', 'caller', 'field', 'renamed', 'crowded'] as const
type BugKind = (typeof bugKinds)[number]

export interface PlantedBug {
  number: number
  kind: BugKind
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
  /** Where a bug throws in a build. */
  findBug(build: number, bug: number): CodePlace
  /** The line that planted it. */
  findCause(build: number, bug: number): CodePlace
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
  const bugCount = (builds - 1) * bugsPerBuild
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

  /** Picks a plain line of a method without a bug: two bugs in one method would be one group. */
  const pickLine = (first = 0) => {
    const free = [...files].flatMap(([path, lines]) =>
      [...lines.keys()]
        .filter((at) => at >= first && lines[at]?.includes('step(') && !bugMethods.has(toMethodKey(path, lines, at)))
        .map((at) => ({ path, at })),
    )
    const picked = pick(free)
    bugMethods.add(toMethodKey(picked.path, requireKey(files, picked.path), picked.at))
    return picked
  }

  const replaceLine = ({ path, at }: { path: string; at: number }, text: string) => {
    requireKey(files, path).splice(at, 1, text)
    return path
  }

  /** Gives a file without bugs another name in another folder, as a refactoring does. */
  const rename = (path: string, number: number) => {
    const area = pick(areas.filter((one) => !path.includes(`/${one}/`)))
    const moved = toPath(area, `${capitalize(area)}Moved${number}`)
    const lines = requireKey(files, path)
    files.delete(path)
    files.set(moved, lines)
    const own = [...bugMethods].filter((key) => key.startsWith(`${path} `))
    for (const key of own) bugMethods.add(key.replace(path, moved))
    checkout.commit('Move', { [path]: null, [moved]: `${lines.join('\n')}\n` })
  }

  const plant = (number: number, build: number) => {
    const kind = toKind(number)
    let path = ''
    if (kind === 'field') {
      path = findFile(files, `// crash ${number}`)
      const lines = requireKey(files, path)
      lines.splice(lines.indexOf('class Part {') + 1, 0, `    val isOpen = false // bug ${number}`)
    } else if (kind === 'renamed') {
      const withBugs = new Set([...bugMethods].map((key) => key.split(' ')[0]))
      const clean = [...files.keys()].filter((one) => !withBugs.has(one))
      path = pick(clean)
      const at = requireKey(files, path).findIndex((line) => line.includes('step('))
      bugMethods.add(toMethodKey(path, requireKey(files, path), at))
      replaceLine({ path, at }, `        check(isOpen) // bug ${number}`)
    } else {
      path = replaceLine(pickLine(), `        check(isOpen) // bug ${number}`)
    }
    const others = shuffle(
      [...files.keys()].filter((one) => one !== path),
      random,
    ).slice(0, Math.floor(random() * 4))
    for (const other of others) edit(other)
    bugs.push({ number, kind, build, commit: commit(`Change ${number}`, [path, ...others]) })
    if (kind === 'renamed') rename(path, number)
    for (const other of kind === 'crowded' ? [0, 1] : []) {
      const lines = requireKey(files, path)
      const at = lines.findIndex((line) => line.endsWith(`// bug ${number}`))
      lines.splice(at + other, 0, `        step(${number}${other})`)
      commit('Work beside it', [path])
    }
  }

  // What these bugs crash on has been there from the beginning.
  for (let number = 0; number < bugCount; number++) {
    const kind = toKind(number)
    if (kind === 'caller') replaceLine(pickLine(), `        require(isKnown) // crash ${number}`)
    if (kind === 'field') replaceLine(pickLine(20), `        check(isOpen) // crash ${number}`)
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
  const find = (build: number, ending: string): CodePlace | undefined => {
    for (const [path, lines] of requireAt(codes, build)) {
      const at = lines.findIndex((line) => line.endsWith(ending))
      if (at >= 0) return toPlace(lines, path, at)
    }
    return undefined
  }
  const findCause = (build: number, number: number): CodePlace => {
    const cause = find(build, `// bug ${number}`)
    if (!cause) throw new Error(`build ${build} has no bug ${number}`)
    return cause
  }
  return {
    checkout,
    bugs,
    heads,
    findBug: (build, number) => find(build, `// crash ${number}`) ?? findCause(build, number),
    findCause,
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

function toKind(number: number): BugKind {
  return requireAt(bugKinds, number % bugKinds.length)
}

function findFile(files: ReadonlyMap<string, readonly string[]>, ending: string): string {
  const found = [...files].find(([, lines]) => lines.some((line) => line.endsWith(ending)))
  if (!found) throw new Error(`no file has ${ending}`)
  return found[0]
}

function toMethodKey(path: string, lines: readonly string[], at: number): string {
  return `${path} ${findMethod(lines, at)}`
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
