/** Descriptors of the Java class file format (JVMS 4.3), translated into type names of Java source code. */

const primitives: Record<string, string> = {
  B: 'byte',
  C: 'char',
  D: 'double',
  F: 'float',
  I: 'int',
  J: 'long',
  S: 'short',
  Z: 'boolean',
}

/** `[Ljava/lang/String;` becomes `java.lang.String[]`; `undefined` if it is not a field descriptor. */
export function parseFieldDescriptor(descriptor: string): string | undefined {
  const parsed = parseAt(descriptor, 0)
  return parsed?.end === descriptor.length ? parsed.type : undefined
}

/** `(I[J)V` becomes `int,long[]` and `void`; `undefined` if it is not a method descriptor. */
export function parseMethodDescriptor(descriptor: string): { type: string; parameters: string } | undefined {
  if (!descriptor.startsWith('(')) return undefined
  const parameters: string[] = []
  let at = 1
  while (descriptor[at] !== ')') {
    const parsed = parseAt(descriptor, at)
    if (!parsed) return undefined
    parameters.push(parsed.type)
    at = parsed.end
  }
  const result = descriptor.slice(at + 1)
  const type = result === 'V' ? 'void' : parseFieldDescriptor(result)
  return type === undefined ? undefined : { type, parameters: parameters.join(',') }
}

function parseAt(descriptor: string, start: number): { type: string; end: number } | undefined {
  let at = start
  while (descriptor[at] === '[') at++
  const dimensions = '[]'.repeat(Math.min(at - start, 255))
  const primitive = primitives[descriptor[at] ?? '']
  if (primitive) return { type: primitive + dimensions, end: at + 1 }
  const end = descriptor.indexOf(';', at)
  if (descriptor[at] !== 'L' || end <= at + 1) return undefined
  return { type: descriptor.slice(at + 1, end).replaceAll('/', '.') + dimensions, end: end + 1 }
}
