/** Invents an Android app with bugs, builds of it whose names R8 would have changed, and crashes of those builds. */
import { requireAt, requireKey } from '@fairlead/invariant'

interface PlantedEvent {
  event_id: string
  [field: string]: unknown
}

export interface PlantedApp {
  builds: PlantedBuild[]
  /** The crashes in random order; `bug` is the number of the bug that caused a crash. */
  crashes: { bug: number; build: number; event: PlantedEvent }[]
}

export interface PlantedBuild {
  version: string
  shortVersion: string
  mapping: string
}

export const plantedPackage = 'org.tarn.ledger'

interface Method {
  className: string
  name: string
  line: number
}

const classCount = 60
const methodsPerClass = 6

/** A generator of numbers from 0 to 1 that gives the same ones for the same seed (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

export function shuffle<Item>(items: readonly Item[], random: () => number): Item[] {
  const shuffled = [...items]
  for (let at = shuffled.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1))
    const item = requireAt(shuffled, at)
    shuffled[at] = requireAt(shuffled, other)
    shuffled[other] = item
  }
  return shuffled
}

/** Each bug crashes in several builds, by several callers, some of them inside a helper that throws for it. */
export function plantBugs(seed: number, { bugs = 40, builds = 6, crashesPerBug = 12 } = {}): PlantedApp {
  const random = createRandom(seed)
  const pick = <Item>(items: readonly Item[]) => requireAt(items, Math.floor(random() * items.length))
  const methods: Method[] = []
  for (let at = 0; at < classCount; at++) {
    for (let name = 0; name < methodsPerClass; name++) {
      methods.push({
        className: `${plantedPackage}.part${at % 7}.Screen${at}`,
        name: `step${name}`,
        line: 10 + name * 7,
      })
    }
  }
  const ownException = `${plantedPackage}.errors.LedgerFailure`
  const sites = shuffle(methods, random).slice(0, bugs)
  const helpers: [className: string, method: string][][] = [
    [],
    [['java.util.Objects', 'requireNonNull']],
    [['kotlin.jvm.internal.Intrinsics', 'throwUninitializedPropertyAccessException']],
    [['kotlin.ResultKt', 'throwOnFailure']],
  ]
  const truth = sites.map((site) => ({
    site,
    types: pick([['java.lang.NullPointerException'], ['java.lang.IllegalStateException'], [ownException]]),
    helper: pick(helpers),
  }))
  const built = Array.from({ length: builds }, (_, build) => obfuscate(build, methods, ownException, random))
  const crashes = truth.flatMap(({ site, types, helper }, bug) =>
    Array.from({ length: crashesPerBug }, (_, place) => {
      const build = (place + bug) % builds
      const callers = Array.from({ length: 2 + Math.floor(random() * 5) }, () => pick(methods))
      const { rename, renameClass, description } = requireAt(built, build)
      const frames = [
        ...helper.map(([module, name]) => ({ module, function: name, filename: 'Unknown Source', lineno: 1 })),
        ...[site, ...callers].map((method) => rename(method)),
        { module: 'android.os.Handler', function: 'dispatchMessage', filename: 'Handler.java', lineno: 106 },
      ]
      return { bug, build, event: createEvent(types.map(renameClass), frames, description, random) }
    }),
  )
  return { builds: built.map(({ description }) => description), crashes: shuffle(crashes, random) }
}

function createEvent(
  types: string[],
  frames: object[],
  { version, shortVersion }: PlantedBuild,
  random: () => number,
): PlantedEvent {
  const id = Array.from({ length: 32 }, () => Math.floor(random() * 16).toString(16)).join('')
  return {
    event_id: id,
    timestamp: Date.now() / 1000 - Math.floor(random() * 86_400),
    platform: 'java',
    level: 'fatal',
    release: `${plantedPackage}@${shortVersion}+${version}`,
    user: { id: `install-${Math.floor(random() * 50)}` },
    contexts: { os: { name: 'Android', version: '14' }, device: { model: 'Pixel 8' } },
    exception: {
      values: types.map((type) => ({
        type: type.slice(type.lastIndexOf('.') + 1),
        module: type.slice(0, Math.max(0, type.lastIndexOf('.'))),
        value: `attempt ${Math.floor(random() * 1000)}`,
        mechanism: { type: 'UncaughtExceptionHandler', handled: false },
        stacktrace: { frames: frames.toReversed() },
      })),
    },
  }
}

/**
 * Gives classes and methods short names in an order that differs for each build, as R8 does, and writes the mapping.
 */
function obfuscate(build: number, methods: readonly Method[], exception: string, random: () => number) {
  const names = shuffle([...new Set(methods.map(({ className }) => className)), exception], random)
  const short = new Map(names.map((name, place) => [name, `${letters(place % 20)}.${letters(place)}`]))
  const lines = [`# compiler: R8`, `# compiler_version: 8.${build}`]
  const renamed = new Map<Method, { name: string; line: number }>()
  for (const [name, shortName] of short) {
    lines.push(`${name} -> ${shortName}:`)
    const own = shuffle(
      methods.filter(({ className }) => className === name),
      random,
    )
    for (const [place, method] of own.entries()) {
      // The code moves a little from build to build.
      const line = method.line + build
      renamed.set(method, { name: letters(place), line: place + 1 })
      lines.push(`    ${place + 1}:${place + 1}:void ${method.name}():${line}:${line} -> ${letters(place)}`)
    }
  }
  const description = {
    version: String(100 + build),
    shortVersion: `2.${build}.0`,
    mapping: `${lines.join('\n')}\n`,
  }
  return {
    description,
    renameClass: (name: string) => short.get(name) ?? name,
    rename: (method: Method) => {
      const { name, line } = requireKey(renamed, method)
      return { module: short.get(method.className), function: name, filename: 'SourceFile', lineno: line }
    },
  }
}

function letters(place: number): string {
  return place < 26 ? String.fromCharCode(97 + place) : letters(Math.floor(place / 26) - 1) + letters(place % 26)
}

/** BCubed F1 of a clustering: for each item, how much its cluster and its class agree. */
export function measureBCubed(items: readonly { label: unknown; cluster: unknown }[]): number {
  const byLabel = Map.groupBy(items, ({ label }) => label)
  const byCluster = Map.groupBy(items, ({ cluster }) => cluster)
  let precision = 0
  let recall = 0
  for (const { label, cluster } of items) {
    const same = byCluster.get(cluster)?.filter((other) => other.label === label).length ?? 0
    precision += same / (byCluster.get(cluster)?.length ?? 1)
    recall += same / (byLabel.get(label)?.length ?? 1)
  }
  precision /= items.length
  recall /= items.length
  return (2 * precision * recall) / (precision + recall)
}
