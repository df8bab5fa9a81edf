import { CrashesError, type FrameOwner, type PackedStack, type StackToResolve } from '@fairlead/crashes'
import type { AppContext } from '../context.ts'
import type { FoundSymbols } from './find-symbols.ts'

export interface StackWithSymbols {
  content: StackToResolve['content']
  found: FoundSymbols
}

/**
 * Resolves stacks in a worker process. The result is undefined for a stack that costs too much even without symbols.
 * One that costs too much only with symbols is resolved without them.
 */
export async function resolveStacks(
  context: Pick<AppContext, 'blobs' | 'readers'>,
  stacks: readonly StackWithSymbols[],
  owner: FrameOwner,
): Promise<(PackedStack | undefined)[]> {
  if (stacks.length === 0) return []
  const { deliveries } = context.readers
  await using open = new AsyncDisposableStack()
  const paths = new Map<string, string>()
  const toPath = async (key: string) => {
    const known = paths.get(key)
    if (known !== undefined) return known
    const { path } = open.use(await context.blobs.open(key))
    paths.set(key, path)
    return path
  }
  const requests = []
  for (const { content, found } of stacks) {
    const lookupFiles: Record<string, string> = {}
    for (const [uuid, key] of found.lookups) lookupFiles[uuid] = await toPath(key)
    const mappingFiles = found.mapping === null ? [] : [await toPath(found.mapping)]
    const dartMapFiles = await Promise.all(found.dartMaps.map(toPath))
    const sourceMapFiles: Record<string, string> = {}
    for (const [bundle, key] of found.sourceMaps) sourceMapFiles[bundle] = await toPath(key)
    requests.push({ content, lookupFiles, mappingFiles, dartMapFiles, sourceMapFiles })
  }
  try {
    return await deliveries.resolve(requests, owner)
  } catch (error) {
    if (!(error instanceof CrashesError)) throw error
  }
  const resolved: (PackedStack | undefined)[] = []
  for (const request of requests) {
    const bare = { ...request, lookupFiles: {}, mappingFiles: [], dartMapFiles: [], sourceMapFiles: {} }
    const resolve = (one: typeof request) => deliveries.resolve([one], owner).then(([stack]) => stack)
    resolved.push(await resolve(request).catch(() => resolve(bare).catch(() => undefined)))
  }
  return resolved
}
