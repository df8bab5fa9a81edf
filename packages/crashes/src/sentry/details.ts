/** What an event says beside its stack: environment, tags, contexts, and data of the app's own. */
import type { CrashContexts, CrashPlatform, ReadCrash } from '../crash.ts'
import { toCustomFields } from '../json/custom-fields.ts'
import { toFlatText } from '../json/flat-text.ts'
import { isObject, type JsonObject, toList, toObject, toText } from '../json/json-value.ts'
import { maxContextFields, maxEnvironmentLength, maxTagKeyLength, maxTags, maxTagValueLength } from '../limits.ts'

export type EventDetails = Pick<ReadCrash, 'platform' | 'environment' | 'tags' | 'contexts' | 'customData'>

const contextNames = ['device', 'os', 'app', 'runtime'] as const
/** Contexts that the SDKs write for their own purposes. */
const otherContexts = new Set<string>([...contextNames, 'trace', 'profile', 'replay', 'feedback', 'otel', 'user'])
/** Fields that identify a person or an installation, or that may. */
const personal = /^(?:id|name|uuid|.*(?:user|owner|email|ip_address|hostname|serial|identifier_for).*|boot_time)$/i
/** Such a field of these names no person. */
const isHarmless = (context: string, field: string) => field === 'name' && context !== 'device'

const maxCustomGroups = 20

export function readDetails(event: JsonObject): EventDetails {
  const given = toObject(event['contexts'])
  const contexts: CrashContexts = { device: {}, os: {}, app: {}, runtime: {} }
  for (const name of contextNames) {
    contexts[name] = readContext(toObject(given[name]), (field) => !personal.test(field) || isHarmless(name, field))
  }
  return {
    platform: readPlatform(event, contexts),
    environment: toText(event['environment'], maxEnvironmentLength),
    tags: readTags(event['tags']),
    contexts,
    customData: readCustomData(event, given),
  }
}

function readContext(context: JsonObject, isKept: (field: string) => boolean): Record<string, string> {
  const fields = Object.entries(context)
    .filter(([field]) => field !== 'type' && field.length <= 64 && isKept(field))
    .slice(0, maxContextFields)
  return toRecord(fields.map(([field, value]) => [field, toFlatText(value, maxTagValueLength)]))
}

/** Tags are an object, or a list of pairs. */
function readTags(tags: unknown): Record<string, string> {
  const pairs: unknown[] = isObject(tags) ? Object.entries(tags) : [...toList(tags)]
  const found = pairs.flatMap((pair): [string, string | null][] => {
    const [key, value] = isObject(pair) ? [pair['key'], pair['value']] : toList(pair)
    const name = toText(key, maxTagKeyLength + 1)
    return name === null || name.length > maxTagKeyLength ? [] : [[name, toFlatText(value, maxTagValueLength)]]
  })
  return toRecord(found.slice(0, maxTags))
}

function readCustomData(event: JsonObject, contexts: JsonObject): ReadCrash['customData'] {
  const groups: [string, JsonObject][] = [['extra', toObject(event['extra'])]]
  for (const [name, value] of Object.entries(contexts)) {
    if (!otherContexts.has(name) && isObject(value) && groups.length < maxCustomGroups) groups.push([name, value])
  }
  const read = groups.map(([name, fields]): [string, Record<string, string>] => {
    return [name.slice(0, 64), toCustomFields(fields)]
  })
  return Object.fromEntries(read.filter(([, fields]) => Object.keys(fields).length > 0))
}

/** `Object.fromEntries` defines properties, so that `__proto__` is a name like any other. */
function toRecord(pairs: readonly (readonly [string, string | null])[]): Record<string, string> {
  return Object.fromEntries(pairs.flatMap(([name, value]) => (value === null ? [] : [[name, value]])))
}

function readPlatform(event: JsonObject, { os }: CrashContexts): CrashPlatform {
  const sdk = toText(toObject(event['sdk'])['name']) ?? ''
  const system = os['name'] ?? ''
  if (/\.dart|flutter/.test(sdk)) return 'dart'
  switch (event['platform']) {
    case 'java':
      return system === '' || /^android$/i.test(system) || sdk.includes('android') ? 'android' : 'other'
    case 'cocoa':
    case 'objc':
    case 'swift':
      return 'apple'
    case 'native':
      return 'native'
    case 'dart':
      return 'dart'
    case 'javascript':
    case 'node':
      return 'javascript'
    default:
      return 'other'
  }
}
