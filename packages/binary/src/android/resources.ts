/**
 * Resources by id (0xPPTTEEEE: package, type, entry), each with a value per configuration. Only the ids asked for are read.
 * A value may refer to another: at most ten deep, to at most 32 others, and to none twice.
 */
import { withinBounds } from '../within-bounds.ts'
import type { ResourceConfig } from './resource-config.ts'
import { isReference, type Value } from './value.ts'

const maxReferences = 10
const maxVisited = 32
const maxValues = 20_000

export interface ConfiguredValue {
  config: ResourceConfig
  value: Value
}

export interface Resources {
  /** The values of a resource in every configuration, references followed. Empty where there is none. */
  findAll(id: number): ConfiguredValue[]
  /** What a value is on a device of no particular kind: itself, or what it refers to. */
  resolve(value: Value): Value | undefined
}

/** For an app without resources.arsc: what refers to something refers to nothing. */
export const noResources: Resources = {
  findAll: () => [],
  resolve: (value) => (isReference(value) ? undefined : value),
}

/** Resources from what reads the values of one id as they stand. A RangeError there is BinaryError `malformed-resources` here. */
export function createResources(readValues: (id: number) => Iterable<ConfiguredValue>): Resources {
  function follow(id: number, seen: Set<number>, depth: number): ConfiguredValue[] {
    if (seen.has(id) || seen.size >= maxVisited || depth > maxReferences) return []
    seen.add(id)
    const found: ConfiguredValue[] = []
    for (const { config, value } of readValues(id)) {
      if (found.length >= maxValues) break
      if (!isReference(value)) found.push({ config, value })
      else for (const other of follow(value.data, seen, depth + 1)) found.push(narrow(config, other))
    }
    return found
  }

  const findAll = (id: number) => withinBounds('malformed-resources', () => follow(id, new Set(), 0))
  return {
    findAll,
    resolve: (value) => (isReference(value) ? pickDefault(findAll(value.data))?.value : value),
  }
}

/** Through a reference, both configurations apply: what the outer one leaves open, the inner one says. */
function narrow(outer: ResourceConfig, { config, value }: ConfiguredValue): ConfiguredValue {
  return {
    value,
    config: {
      locale: outer.locale === '' ? config.locale : outer.locale,
      density: outer.density === 0 ? config.density : outer.density,
      sdkVersion: Math.max(outer.sdkVersion, config.sdkVersion),
      isPlain: outer.isPlain && config.isPlain,
    },
  }
}

/** The value for no particular device, and of the latest Android: plain first, then without a locale, then the highest API level. */
export function pickDefault(values: ConfiguredValue[]): ConfiguredValue | undefined {
  return values.toSorted((a, b) => rank(a.config) - rank(b.config) || b.config.sdkVersion - a.config.sdkVersion)[0]
}

function rank({ locale, isPlain }: ResourceConfig): number {
  const byLocale = locale === '' ? 0 : locale === 'en' || locale.startsWith('en-') ? 1 : 2
  return byLocale * 2 + (isPlain ? 0 : 1)
}
