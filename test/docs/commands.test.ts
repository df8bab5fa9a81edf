/**
 * Reads every page for people and compares its commands with what there is: those of `fairlead` with the commands,
 * flags and arguments of its parser, those of `fairlead-server` with its help, and those of npm with the scripts, files
 * and folders of the repository. The recipes for CI and the quick start are run for real by other tests.
 */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, it } from 'node:test'
import { type RouteTree, routes } from '../../apps/cli/src/routes.ts'
import { readJson } from '../../scripts/read-json.ts'
import { type FoundCommand, listCommands, pages } from './read-pages.ts'

const root = join(import.meta.dirname, '../..')

/** The flag of a parser, as far as it is looked at here. */
interface Flag {
  kind: 'boolean' | 'counter' | 'enum' | 'parsed'
  values?: readonly string[]
  optional?: boolean
  default?: unknown
  variadic?: unknown
}

interface Parameters {
  flags?: Record<string, Flag>
  aliases?: Record<string, string>
  positional?: { kind: 'tuple'; parameters: { optional?: boolean }[] } | { kind: 'array'; minimum?: number }
}

describe('the commands in pages for people', () => {
  const found = pages.flatMap(listCommands)

  it('are found on the pages that have them', () => {
    const withCommands = new Set(found.filter(({ words }) => words[0] === 'fairlead').map(({ page }) => page))
    for (const page of ['README.md', 'apps/cli/README.md', 'docs/ci/README.md', 'docs/tests.md']) {
      assert.ok(withCommands.has(page), `${page} has no command; this test may have lost the way to find them`)
    }
    assert.ok(found.length > 100, String(found.length))
  })

  it('of fairlead exist, with their flags and arguments', async () => {
    const faults: string[] = []
    for (const command of found) {
      if (command.words[0] !== 'fairlead') continue
      const fault = await findFault(command)
      if (fault !== undefined) faults.push(`${command.page}: ${command.words.join(' ')}: ${fault}`)
    }
    assert.deepEqual(faults, [])
  })

  it('of fairlead-server exist, and each has a line on a page', () => {
    const help = execFileSync(process.execPath, [join(root, 'apps/server/src/main.ts'), '--help'], { encoding: 'utf8' })
    const known = Array.from(help.matchAll(/^ {2}([a-z][a-z-]+) .*$/gm), ([, name = '']) => name)
    assert.ok(known.includes('backup') && known.includes('reset-password'), help)
    const named = found.filter(({ words }) => words[0] === 'fairlead-server').map(({ words }) => words[1] ?? '')
    assert.deepEqual(
      named.filter((name) => name !== '' && !name.startsWith('-') && !known.includes(name)),
      [],
    )
    assert.deepEqual(
      known.filter((name) => !named.includes(name)),
      [],
    )
  })

  it('of npm run scripts and test files that exist', () => {
    const faults = found.flatMap(({ page, words: [program, verb, name, ...rest] }) => {
      if (program !== 'npm') return []
      if (verb === 'run' && name !== undefined && !listScripts(page).includes(name)) return [`${page}: npm run ${name}`]
      if (verb !== 'test' || name !== '--') return []
      return rest
        .filter((word) => word.endsWith('.test.ts') && !/[<>]/.test(word) && globSync(word, { cwd: root }).length === 0)
        .map((word) => `${page}: ${word}`)
    })
    assert.deepEqual(faults, [])
  })

  it('of Node name programs that exist', () => {
    const faults = found.flatMap(({ page, words: [program, file] }) => {
      if (!/(^|\/)node$/.test(program ?? '') || file === undefined || !/^[\w/.-]+\.ts$/.test(file)) return []
      return existsSync(join(root, file)) ? [] : [`${page}: node ${file}`]
    })
    assert.deepEqual(faults, [])
  })
})

/** The scripts of the repository, and those of the part whose page it is. */
function listScripts(page: string): string[] {
  return [root, join(root, dirname(page))].flatMap((folder) => {
    const path = join(folder, 'package.json')
    if (!existsSync(path)) return []
    return Object.keys(readJson<{ scripts?: Record<string, string> }>(readFileSync(path, 'utf8')).scripts ?? {})
  })
}

async function findFault({ words, isWhole }: FoundCommand): Promise<string | undefined> {
  const args = words.slice(1)
  if (args.length === 0 || args[0]?.startsWith('-') === true || args[0] === 'COMMAND') return undefined
  const command = findCommand(args)
  if (command === undefined) return isWhole ? 'there is no such command' : findFaultOfNoun(args)
  const { load, given } = command
  const loaded = await load()
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the parser keeps this type to itself
  const parameters = loaded.command.parameters as Parameters
  return checkWords(args.slice(given), parameters, isWhole)
}

/** A sentence may name a noun alone, such as `fairlead tests`. */
function findFaultOfNoun(args: readonly string[]): string | undefined {
  let tree: RouteTree | undefined = routes
  for (const arg of args) {
    const route: RouteTree['routes'][string] | undefined = tree?.routes[arg]
    if (route === undefined) return 'there is no such command'
    tree = typeof route === 'function' ? undefined : route
  }
  return undefined
}

function findCommand(args: readonly string[]) {
  let tree: RouteTree = routes
  for (let given = 0; ; given++) {
    const word = args[given] ?? ''
    const isNamed = Object.hasOwn(tree.routes, word)
    const name = isNamed ? word : tree.default
    const route = name === undefined ? undefined : tree.routes[name]
    if (route === undefined) return undefined
    if (typeof route === 'function') return { load: route, given: given + (isNamed ? 1 : 0) }
    if (!isNamed) return undefined
    tree = route
  }
}

const everywhere = new Set(['help', 'json', 'debug'])

function checkWords(words: readonly string[], parameters: Parameters, isWhole: boolean): string | undefined {
  const flags = parameters.flags ?? {}
  const seen = new Set<string>()
  let positional = 0
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? ''
    if (word === '--') {
      positional += words.length - at - 1
      break
    }
    if (!/^-[^\s\d]/.test(word)) {
      positional++
      continue
    }
    const [written = '', inline] = word.replace(/^--?/, '').split('=', 2)
    const name =
      parameters.aliases?.[written] ?? written.replaceAll(/-([a-z])/g, (_, char: string) => char.toUpperCase())
    if (everywhere.has(name)) continue
    const flag = flags[name]
    if (!flag) return `there is no ${word}`
    seen.add(name)
    if (flag.kind === 'boolean' || flag.kind === 'counter') continue
    const value = inline ?? words[++at]
    if (value === undefined && isWhole) return `${word} has no value`
    if (flag.values && value !== undefined && !flag.values.includes(value)) return `${word} does not take ${value}`
  }
  if (!isWhole) return undefined
  const missing = Object.entries(flags).find(
    ([name, flag]) => !seen.has(name) && flag.kind !== 'boolean' && flag.optional !== true && !('default' in flag),
  )
  if (missing && missing[0] !== 'app') return `--${missing[0]} is missing`
  const { least, most } = countPositional(parameters.positional)
  return positional < least || positional > most
    ? `${positional} arguments, and it takes ${least} to ${most}`
    : undefined
}

function countPositional(positional: Parameters['positional']): { least: number; most: number } {
  if (!positional) return { least: 0, most: 0 }
  if (positional.kind === 'array') return { least: positional.minimum ?? 0, most: Infinity }
  const { parameters } = positional
  return { least: parameters.filter(({ optional }) => optional !== true).length, most: parameters.length }
}
