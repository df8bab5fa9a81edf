/**
 * The project file, `fairlead.json`, of the current folder or of one above it, up to the root of the repository:
 *
 *     { "server": "https://builds.example.com", "app": "shop", "groups": ["QA"] }
 *
 * Everything in it is a default that flags and environment override. It comes with the sources, so whoever may change
 * them may change it: the token of the environment is never sent to a server that only this file names.
 */
import { readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { CliError } from '../cli-error.ts'
import type { Io } from '../io.ts'

export interface Project {
  path: string
  server?: string
  app?: string
  groups?: string[]
}

const fileName = 'fairlead.json'
const maxBytes = 65_536
const maxDepth = 40

/** Finds and reads the project file; undefined if there is none. Throws `usage` for one that is not understood. */
export function readProject({ cwd }: Pick<Io, 'cwd'>): Project | undefined {
  let folder = cwd
  for (let depth = 0; depth < maxDepth; depth++) {
    const path = join(folder, fileName)
    const found = statSync(path, { throwIfNoEntry: false })
    if (found?.isFile() === true) {
      if (found.size > maxBytes) throw new CliError('usage', `${path} is too large for a project file`)
      return parseProject(path, readFileSync(path, 'utf8'))
    }
    const isRoot = statSync(join(folder, '.git'), { throwIfNoEntry: false }) !== undefined
    if (isRoot || dirname(folder) === folder) return undefined
    folder = dirname(folder)
  }
  return undefined
}

function parseProject(path: string, text: string): Project {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw new CliError('usage', `${path} is not JSON`, { cause })
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw refuse(path, 'is not an object')
  const project: Project = { path }
  for (const [name, entry] of Object.entries(value)) {
    const one: unknown = entry
    if ((name === 'server' || name === 'app') && typeof one === 'string' && one !== '') project[name] = one
    else if (name === 'groups' && Array.isArray(one)) project.groups = one.map((group) => toGroup(path, group))
    else throw refuse(path, `has ${JSON.stringify(name)} with a value that is not understood`)
  }
  return project
}

function toGroup(path: string, group: unknown): string {
  if (typeof group === 'string' && group !== '') return group
  throw refuse(path, 'has a group that is no name')
}

function refuse(path: string, fault: string): CliError {
  return new CliError('usage', `${path} ${fault}`, {
    fix: 'It may have "server" and "app", which are texts, and "groups", a list of names.',
  })
}
