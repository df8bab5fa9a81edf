import { buildRouteMap, type Command, type RouteMap } from '@stricli/core'
import { exitCodes, type ExitName, exitMeanings } from './cli-error.ts'
import type { CliContext } from './context.ts'
import { type RouteTree, routes } from './routes.ts'

/**
 * Loads the commands that the arguments need: only the one that they name, or all of them for help, completion and the
 * correction of misspelt names.
 */
export async function loadRoutes(args: readonly string[]): Promise<RouteMap<CliContext>> {
  return await loadMap(routes, args, rootDescription)
}

async function loadMap(
  tree: RouteTree,
  args: readonly string[],
  fullDescription?: string,
): Promise<RouteMap<CliContext>> {
  const [name = '', ...rest] = args
  const wanted = Object.hasOwn(tree.routes, name) ? [name] : Object.keys(tree.routes)
  const loaded = await Promise.all(wanted.map(async (key) => [key, await load(tree, key, rest)] as const))
  const defaultCommand = tree.default === undefined || !wanted.includes(tree.default) ? undefined : tree.default
  return buildRouteMap({
    routes: Object.fromEntries(loaded),
    ...(defaultCommand !== undefined && { defaultCommand }),
    docs: { brief: tree.brief, ...(fullDescription !== undefined && { fullDescription }) },
  })
}

async function load(
  tree: RouteTree,
  key: string,
  args: readonly string[],
): Promise<Command<CliContext> | RouteMap<CliContext>> {
  const route = tree.routes[key]
  if (route === undefined) throw new Error(`There is no route ${key}`)
  return typeof route === 'function' ? (await route()).command : await loadMap(route, args)
}

const rootDescription = [
  'The command line of Fairlead: uploads builds and symbols, distributes them, reads crashes.',
  '',
  'Server and token come from --server and --token, from FAIRLEAD_URL and FAIRLEAD_TOKEN, or from "fairlead login".',
  'Every command takes --debug, which shows where in the program an error was thrown.',
  '',
  'EXIT CODES',
  ...Object.entries(exitCodes).map(
    ([name, code]) => `  ${String(code).padStart(3)}  ${exitMeanings[name as ExitName]}`,
  ),
].join('\n')
