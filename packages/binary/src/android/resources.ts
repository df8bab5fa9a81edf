/**
 * Resources by id (0xPPTTEEEE: package, type, entry), each with a value per configuration. Only requested ids are read.
 * A value may refer to another resource. References are followed at most ten deep, to at most 32 other resources, and
 * to each of them once.
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
  /** The values of a resource in every configuration, with references resolved; empty if there is no such resource. */
  findAll(id: number): ConfiguredValue[]
  /** Resolves a value, which may be a reference, for a device without special properties. */
  resolve(value: Value): Value | undefined
}

/** The resources of an app without resources.arsc: no reference can be resolved. */
export const noResources: Resources = {
  findAll: () => [],
  resolve: (value) => (isReference(value) ? undefined : value),
}

/**
 * Creates resources from a function that reads the unresolved values of one id. A RangeError that it throws becomes
 * BinaryError `malformed-resources`.
 */
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

/** Combines configurations across a reference: the inner one fills in properties that the outer one leaves open. */
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

/**
 * Picks the value for a device without special properties and the latest Android. It prefers values without device
 * properties, then without a locale, then with the highest API level.
 */
export function pickDefault(values: ConfiguredValue[]): ConfiguredValue | undefined {
  return values.toSorted((a, b) => rank(a.config) - rank(b.config) || b.config.sdkVersion - a.config.sdkVersion)[0]
}

function rank({ locale, isPlain }: ResourceConfig): number {
  const byLocale = locale === '' ? 0 : locale === 'en' || locale.startsWith('en-') ? 1 : 2
  return byLocale * 2 + (isPlain ? 0 : 1)
}
