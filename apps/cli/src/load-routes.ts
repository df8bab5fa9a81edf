import { buildRouteMap, type Command, type RouteMap } from '@stricli/core'
import { listExits } from './cli-error.ts'
import type { CliContext } from './context.ts'
import { type RouteTree, routes } from './routes.ts'

/**
 * Loads the commands that the arguments need: only the one that they name, or all of them for help, completion and the
 * correction of misspelt names. Completion proposes the commands of a noun, which the parser only does for nouns
 * without a default command.
 */
export async function loadRoutes(
  args: readonly string[],
  { withDefaults = true }: { withDefaults?: boolean } = {},
): Promise<RouteMap<CliContext>> {
  return await loadMap(routes, args, { withDefaults, fullDescription: rootDescription })
}

interface MapOptions {
  withDefaults: boolean
  fullDescription?: string
}

async function loadMap(
  tree: RouteTree,
  args: readonly string[],
  { withDefaults, fullDescription }: MapOptions,
): Promise<RouteMap<CliContext>> {
  const [name = '', ...rest] = args
  const wanted = Object.hasOwn(tree.routes, name) ? [name] : Object.keys(tree.routes)
  const loaded = await Promise.all(wanted.map(async (key) => [key, await load(tree, key, rest, withDefaults)] as const))
  const isWanted = withDefaults && tree.default !== undefined && wanted.includes(tree.default)
  const defaultCommand = isWanted ? tree.default : undefined
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
  withDefaults: boolean,
): Promise<Command<CliContext> | RouteMap<CliContext>> {
  const route = tree.routes[key]
  if (route === undefined) throw new Error(`There is no route ${key}`)
  return typeof route === 'function' ? (await route()).command : await loadMap(route, args, { withDefaults })
}

const rootDescription = [
  'The command line of Fairlead: uploads builds and symbols, distributes them, reads crashes.',
  '',
  'Server and token come from --server and --token, from FAIRLEAD_URL and FAIRLEAD_TOKEN, or from "fairlead login".',
  'Every command takes --debug, which shows where in the program an error was thrown.',
  '',
  'EXIT CODES',
  ...listExits().map(({ code, meaning }) => `  ${String(code).padStart(3)}  ${meaning}`),
].join('\n')
