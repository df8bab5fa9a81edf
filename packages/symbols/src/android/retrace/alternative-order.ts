/** Decides which alternatives of a line are equal, and orders them, as R8's retrace does. */
import type { RestoredLine } from './restored-line.ts'

/** Alternatives with the same key are equal; only their innermost frames are compared. `undefined` equals nothing. */
export function keyOfAlternative(
  line: RestoredLine,
  traceLine: number | undefined,
  isVerbose: boolean,
): string | undefined {
  // R8 never treats alternatives with arguments as equal.
  if (line.types?.arguments && line.types.arguments.length > 0) return undefined
  const { method, field } = line
  return [
    line.className ?? '',
    line.fileName ?? '',
    isVerbose || (traceLine !== undefined && traceLine > 0) ? line.lineNumber : '',
    method ? `${method.name} ${isVerbose ? typesOf(line) : ''}` : '',
    field ? `${field.name} ${isVerbose ? field.type : ''}` : '',
    line.types?.type ?? '',
  ].join('\n')
}

/** Orders by class, method, types, file and line, as R8 does. */
export function compareAlternatives(one: RestoredLine, other: RestoredLine): number {
  return (
    compare(one.className, other.className) ||
    compareMethods(one, other) ||
    compare(one.fileName, other.fileName) ||
    (one.lineNumber ?? -1) - (other.lineNumber ?? -1)
  )
}

function compareMethods({ method: one }: RestoredLine, { method: other }: RestoredLine): number {
  if (!one || !other) return Number(one !== undefined) - Number(other !== undefined)
  const [parameters, others] = [splitTypes(one.signature.parameters), splitTypes(other.signature.parameters)]
  let order =
    compare(one.name, other.name) ||
    compare(one.signature.type, other.signature.type) ||
    parameters.length - others.length
  for (let place = 0; order === 0 && place < parameters.length; place++)
    order = compare(parameters[place], others[place])
  return order
}

/** Compares by UTF-16 code units; `undefined` comes first. */
function compare(one: string | undefined, other: string | undefined): number {
  if (one === other) return 0
  if (one === undefined || other === undefined) return one === undefined ? -1 : 1
  return one < other ? -1 : 1
}

function typesOf({ method }: RestoredLine): string {
  return method ? `${method.signature.type} ${method.signature.parameters ?? ''}` : ''
}

function splitTypes(types: string | undefined): string[] {
  return types ? types.split(',') : []
}
