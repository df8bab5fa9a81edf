/** Infers the source file of a class from its name, as R8 does if the mapping does not name the file. */
import type { ByteOutput } from '../bytes/byte-output.ts'
import type { Span } from '../bytes/span.ts'
import { startsWithAscii } from '../bytes/starts-with-ascii.ts'

const nativeMethod = 'Native Method'

/**
 * Infers the file of `className` from its outermost class. `obfuscated` is the file name in the trace, of which only
 * the extension matters.
 */
export function inferSourceFile(className: string, obfuscated: string): string {
  if (obfuscated === nativeMethod) return obfuscated
  const extension = extensionOf(obfuscated)
  const name = outermostName(className)
  if (name.endsWith('Kt') && (extension === '' || extension === 'kt')) return `${name.slice(0, -2)}.kt`
  return `${name}.${extension === 'kt' ? 'kt' : 'java'}`
}

function extensionOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const dot = name.lastIndexOf('.')
  return dot === -1 ? '' : name.slice(dot + 1)
}

/** `com.example.Foo$Bar` becomes `Foo`. */
function outermostName(className: string): string {
  const start = className.lastIndexOf('.') + 1
  const dollar = className.indexOf('$', Math.max(start - 1, 0))
  return className.slice(start, dollar === -1 ? undefined : dollar)
}

/** Does what `inferSourceFile` does, for ASCII names in bytes, and appends the result. */
export function appendSourceFile({ bytes, start, end }: Span, obfuscated: Span, output: ByteOutput): void {
  const isNative =
    obfuscated.end - obfuscated.start === nativeMethod.length &&
    startsWithAscii(obfuscated.bytes, obfuscated.start, nativeMethod)
  if (isNative) {
    output.appendAscii(nativeMethod)
    return
  }
  let nameStart = end
  while (nameStart > start && bytes[nameStart - 1] !== 0x2e) nameStart--
  let nameEnd = nameStart
  while (nameEnd < end && bytes[nameEnd] !== 0x24) nameEnd++
  const extension = findExtension(obfuscated)
  const isKotlin = obfuscated.end - extension === 2 && endsWith(obfuscated.bytes, obfuscated.end, 0x6b, 0x74)
  const isFacade = nameEnd - nameStart > 1 && endsWith(bytes, nameEnd, 0x4b, 0x74)
  const takesKotlin = isFacade && (isKotlin || extension === obfuscated.end)
  output.append(bytes, nameStart, takesKotlin ? nameEnd - 2 : nameEnd)
  output.appendAscii(takesKotlin || isKotlin ? '.kt' : '.java')
}

/** The offset of the extension; the end if the name has none. */
function findExtension({ bytes, start, end }: Span): number {
  for (let at = end; at > start && bytes[at - 1] !== 0x2f; at--) if (bytes[at - 1] === 0x2e) return at
  return end
}

function endsWith(bytes: Buffer, end: number, first: number, second: number): boolean {
  return bytes[end - 2] === first && bytes[end - 1] === second
}
