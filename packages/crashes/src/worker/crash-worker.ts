/** Main module of a crash reader's process. */
import {
  type Lookup,
  type Mapping,
  type ObfuscationMap,
  openLookup,
  openMapping,
  openObfuscationMap,
  openSourceMap,
  type SourceMap,
  SymbolsError,
} from '@fairlead/symbols'
import { answerRequests } from '@fairlead/workers'
import { CrashesError } from '../crashes-error.ts'
import { packJson, packText, unpackJson } from '../packed-json.ts'
import { type FrameOwner, resolveStack } from '../stack/resolve-stack.ts'
import type { StackContent } from '../stack/stack-content.ts'
import type {
  CrashReaderAnswer,
  CrashReaderRequest,
  Delivery,
  ErrorMessage,
  PackedStack,
  PreparedDelivery,
  ReadSettings,
  StackToResolve,
} from './messages.ts'
import { checkLargeDelivery, prepareDelivery } from './prepare-delivery.ts'

/** Bytes that an open symbols file may cache. */
const cacheBytes = 8 * 2 ** 20

/** An answer to `read` ends when it has this many bytes, or took this many milliseconds. */
const answerBytes = 4 * 2 ** 20
const answerMs = 1000

async function answer(request: CrashReaderRequest): Promise<CrashReaderAnswer> {
  if (request.verb === 'read') return { deliveries: await readAll(request.deliveries, request.settings) }
  return attempt<CrashReaderAnswer>(async () => {
    if (request.verb === 'check') return { summary: await checkLargeDelivery(request.delivery) }
    return { stacks: resolveAll(request.stacks, request.owner) }
  })
}

async function attempt<Answer>(work: () => Promise<Answer>): Promise<Answer | ErrorMessage> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof CrashesError) return { error: { code: error.code, detail: error.detail } }
    throw error
  }
}

async function readAll(
  deliveries: readonly Delivery[],
  settings: ReadSettings,
): Promise<(PreparedDelivery | ErrorMessage)[]> {
  const started = performance.now()
  const read: (PreparedDelivery | ErrorMessage)[] = []
  let bytes = 0
  for (const delivery of deliveries) {
    if (bytes > answerBytes || performance.now() - started > answerMs) break
    const one = await attempt(() => prepareDelivery(delivery, settings))
    const crashes = 'error' in one ? [] : one.crashes
    for (const { stack, report } of crashes) bytes += stack.content.length + report.length
    read.push(one)
  }
  return read
}

function resolveAll(stacks: readonly StackToResolve[], owner: FrameOwner): PackedStack[] {
  using open = new DisposableStack()
  const lookups = new Map<string, Lookup | undefined>()
  const mappings = new Map<string, Mapping | undefined>()
  const obfuscations = new Map<string, ObfuscationMap | undefined>()
  const scripts = new Map<string, SourceMap | undefined>()
  return stacks.map(({ content, lookupFiles, mappingFiles, dartMapFiles, sourceMapFiles }) => {
    const ofStack = new Map<string, Lookup>()
    for (const [uuid, path] of Object.entries(lookupFiles)) {
      const lookup = remember(lookups, path, () => open.use(openLookup(path, { cacheBytes, names: 'full' })))
      if (lookup) ofStack.set(uuid, lookup)
    }
    const chain = mappingFiles.flatMap((path) => {
      return remember(mappings, path, () => open.use(openMapping(path, { cacheBytes }))) ?? []
    })
    const dartMaps = dartMapFiles.flatMap((path) => {
      return remember(obfuscations, path, () => open.use(openObfuscationMap(path))) ?? []
    })
    const sourceMaps = new Map<string, SourceMap>()
    for (const [key, path] of Object.entries(sourceMapFiles)) {
      const map = remember(scripts, path, () => open.use(openSourceMap(path, { cacheBytes })))
      if (map) sourceMaps.set(key, map)
    }
    const symbols = { lookups: ofStack, mappings: chain, dartMaps, sourceMaps }
    const packed = typeof content === 'string' ? packText(content) : content
    const resolved = resolveStack(unpackJson<StackContent>(packed), symbols, owner)
    const { exceptionTypes, key, keyHash } = resolved
    return { exceptionTypes, key, keyHash, content: packed, resolved: packJson(resolved) }
  })
}

/** A damaged symbols file counts as missing: its frames stay unresolved. */
function remember<Value>(known: Map<string, Value | undefined>, path: string, open: () => Value): Value | undefined {
  if (known.has(path)) return known.get(path)
  let value: Value | undefined
  try {
    value = open()
  } catch (error) {
    if (!(error instanceof SymbolsError)) throw error
  }
  known.set(path, value)
  return value
}

answerRequests(answer)
