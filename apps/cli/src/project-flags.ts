import type { Io } from './io.ts'
import { type RouteTree, routes } from './routes.ts'
import { readProject } from './settings/project.ts'

/** Commands that give a build to the groups of the project. */
const distributing = new Set(['builds upload', 'builds distribute'])

/** Adds the application and the groups of the project file to a command line that names none. */
export async function addProjectFlags(args: readonly string[], io: Io): Promise<string[]> {
  const found = findCommand(args)
  if (!found || ['--help', '-h', '--help-all', '-H'].some((flag) => args.includes(flag))) return [...args]
  const { command } = await found.load()
  const has = (flag: string) => args.some((arg) => arg === flag || arg.startsWith(`${flag}=`))
  // Local symbols and an application that has some are alternatives.
  const takesApp = command.usesFlag('app', 'original') && !has('--app') && !has('--symbols')
  const takesGroups = distributing.has(found.words.join(' ')) && !has('--group')
  if (!takesApp && !takesGroups) return [...args]
  const project = readProject(io)
  const added: string[] = []
  if (takesApp && project?.app !== undefined) added.push('--app', project.app)
  if (takesGroups) for (const group of project?.groups ?? []) added.push('--group', group)
  // Before the words that are no flags: a list of words may end the command line.
  return [...args.slice(0, found.given), ...added, ...args.slice(found.given)]
}

/** The command that words name, and how many of them do. */
function findCommand(args: readonly string[]) {
  let tree: RouteTree = routes
  const words: string[] = []
  for (;;) {
    const word: string | undefined = args[words.length]
    const named = word !== undefined && Object.hasOwn(tree.routes, word) ? word : undefined
    const name = named ?? tree.default
    const route = name === undefined ? undefined : tree.routes[name]
    if (name === undefined || route === undefined) return undefined
    const given = words.length + (named === undefined ? 0 : 1)
    words.push(name)
    if (typeof route === 'function') return { words, given, load: route }
    if (named === undefined) return undefined
    tree = route
  }
}
