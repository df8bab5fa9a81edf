import { toFlatText } from './flat-text.ts'
import { isObject, type JsonObject } from './json-value.ts'

const maxFields = 100
const maxNameLength = 200
const maxValueLength = 1000

/** Data of the app's own as flat text. Objects and lists in it are kept as JSON. */
export function toCustomFields(fields: JsonObject): Record<string, string> {
  const kept = Object.entries(fields).slice(0, maxFields)
  // `Object.fromEntries` defines properties, so that `__proto__` is a name like any other.
  return Object.fromEntries(
    kept.flatMap(([name, value]) => {
      const text = toFlatText(isFlat(value) ? value : JSON.stringify(value).slice(0, maxValueLength), maxValueLength)
      return text === null ? [] : [[name.slice(0, maxNameLength), text]]
    }),
  )
}

/** The one group of own data that a report has; none if it is empty or no object. */
export function toCustomGroup(name: string, fields: unknown): Record<string, Record<string, string>> {
  const read = isObject(fields) ? toCustomFields(fields) : {}
  return Object.keys(read).length === 0 ? {} : { [name]: read }
}

function isFlat(value: unknown): boolean {
  return typeof value !== 'object' || value === null
}
