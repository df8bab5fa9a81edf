import type { Breadcrumb } from '../crash.ts'
import { toFlatText } from '../json/flat-text.ts'
import { isObject, type JsonObject, toInstant, toObject, toObjects, toText } from '../json/json-value.ts'
import { maxBreadcrumbs } from '../limits.ts'

const longestMessage = 16_384
const longestValue = 1000

/**
 * The data that is kept: what a lifecycle event, a navigation, a click, a change of the app's state, an event of the
 * device, an HTTP request and a log message say. Other data may be personal, so it is left out.
 */
const keptData = [
  'method',
  'url',
  'status_code',
  'from',
  'to',
  'state',
  'screen',
  'action',
  'view',
  'view.id',
  'view.class',
  'view.tag',
  'tag',
  'accessibilityIdentifier',
  'level',
  'charging',
  'plugged',
  'position',
  'orientation',
  'network_type',
  'vpn_active',
  'logger',
] as const
const addresses = new Set<string>(['url', 'from', 'to'])

export function readBreadcrumbs(event: JsonObject): Breadcrumb[] {
  return toObjects(event['breadcrumbs']).slice(-maxBreadcrumbs).flatMap(toBreadcrumb)
}

function toBreadcrumb(breadcrumb: JsonObject): Breadcrumb[] {
  const { timestamp, category, message, data, type, level } = breadcrumb
  const found = readData(toObject(data))
  const text = toText(message, longestMessage)
  const given = { type: toText(type, 64), category: toText(category, 200) }
  const isEmpty = text === null && given.type === null && given.category === null && Object.keys(found).length === 0
  if (isEmpty) return []
  return [
    {
      occurredAt: toInstant(timestamp),
      type: given.type ?? 'default',
      category: given.category,
      level: toText(level, 32),
      message: text,
      data: found,
    },
  ]
}

function readData(data: JsonObject): Record<string, string> {
  const kept = keptData.flatMap((name): [string, string][] => {
    const value = Object.hasOwn(data, name) ? toPlace(data[name]) : null
    return value === null ? [] : [[name, addresses.has(name) ? withoutQuery(value) : value]]
  })
  return Object.fromEntries(kept)
}

/** A route of Flutter or React Native is an object with a name. */
function toPlace(value: unknown): string | null {
  return isObject(value) ? toText(value['name'], longestValue) : toFlatText(value, longestValue)
}

/** Queries and fragments may hold secrets, and so may the part before the host. */
function withoutQuery(address: string): string {
  return address.replace(/[?#].*$/s, '').replace(/^([a-z][a-z0-9+.-]{0,20}:\/\/)[^/@]{0,500}@/i, '$1')
}
