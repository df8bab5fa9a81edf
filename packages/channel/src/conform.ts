import type { Descriptor, EncodableClass, SchemaIssue, StandardSchema } from './descriptor.ts'
import { ValueError, joinPath } from './value/value-error.ts'

const primitives = new Map<unknown, string>([
  [String, 'string'],
  [Number, 'number'],
  [Boolean, 'boolean'],
  [BigInt, 'bigint'],
])

/**
 * Checks and converts a received value to the descriptor's type.
 *
 * @throws ValueError with the path of the part that does not fit.
 */
export function decodeAs(descriptor: Descriptor, value: unknown, path = ''): unknown {
  if (descriptor === Object) return value
  const primitive = primitives.get(descriptor)
  if (primitive !== undefined) {
    // oxlint-disable-next-line valid-typeof -- the table above holds only valid ones
    if (typeof value === primitive) return value
    throw mismatch(path, primitive, value)
  }
  if (isSchema(descriptor)) return validate(descriptor, value, path)
  if (Array.isArray(descriptor)) return mapItems(descriptor, value, path, decodeAs)
  if (isEncodableClass(descriptor)) {
    try {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `decode` checks it and throws
      return descriptor.decode(value as never)
    } catch (error) {
      throw new ValueError(path, error instanceof Error ? error.message : String(error), error)
    }
  }
  return requireInstance(descriptor, value, path)
}

/**
 * Checks a value against the descriptor and converts it for sending.
 *
 * @throws ValueError with the path of the part that does not fit.
 */
export function encodeAs(descriptor: Descriptor, value: unknown, path = ''): unknown {
  if (descriptor === Object) return value
  if (isSchema(descriptor)) {
    validate(descriptor, value, path)
    return value
  }
  if (Array.isArray(descriptor)) return mapItems(descriptor, value, path, encodeAs)
  if (isEncodableClass(descriptor) && typeof descriptor === 'function') return requireInstance(descriptor, value, path)
  return isEncodableClass(descriptor) ? value : decodeAs(descriptor, value, path)
}

type Convert = (descriptor: Descriptor, value: unknown, path: string) => unknown

function mapItems(descriptors: readonly Descriptor[], value: unknown, path: string, convert: Convert): unknown[] {
  const descriptor = descriptors[0]
  if (descriptor === undefined) throw new ValueError(path, 'the descriptor of a list names no type')
  if (!Array.isArray(value)) throw mismatch(path, 'array', value)
  return value.map((item: unknown, index) => convert(descriptor, item, joinPath(path, index)))
}

function validate(schema: StandardSchema, value: unknown, path: string): unknown {
  const result = schema['~standard'].validate(value)
  if (result instanceof Promise) {
    // Nothing awaits this promise, so its rejection must not become an unhandled rejection.
    result.catch(() => {})
    throw new ValueError(path, 'the schema is asynchronous, and the channel supports only synchronous schemas')
  }
  if (!result.issues) return result.value
  const [issue] = result.issues
  if (!issue) throw new ValueError(path, 'the schema rejects it without giving a reason')
  throw new ValueError(joinIssuePath(path, issue), issue.message)
}

function joinIssuePath(path: string, issue: SchemaIssue): string {
  let joined = path
  for (const segment of issue.path ?? []) joined = joinPath(joined, typeof segment === 'object' ? segment.key : segment)
  return joined
}

function requireInstance(descriptor: unknown, value: unknown, path: string): unknown {
  if (typeof descriptor !== 'function') throw new ValueError(path, 'the descriptor is not of a supported kind')
  if (value instanceof descriptor) return value
  throw mismatch(path, descriptor.name, value)
}

function isSchema(descriptor: unknown): descriptor is StandardSchema {
  return (
    (typeof descriptor === 'object' || typeof descriptor === 'function') &&
    descriptor !== null &&
    '~standard' in descriptor
  )
}

function isEncodableClass(descriptor: unknown): descriptor is EncodableClass {
  const isObject = (typeof descriptor === 'object' && descriptor !== null) || typeof descriptor === 'function'
  return isObject && 'decode' in descriptor && typeof descriptor.decode === 'function'
}

function mismatch(path: string, expected: string, value: unknown): ValueError {
  return new ValueError(path, `expected ${expected}, got ${nameType(value)}`)
}

function nameType(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  if (typeof value !== 'object') return typeof value
  return value.constructor?.name ?? 'object'
}
