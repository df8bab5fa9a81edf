import { demangleItanium, isItaniumName } from './itanium/demangle-itanium.ts'
import { demanglePlainBytes, plainText } from './itanium/plain/demangle-plain.ts'
import { demangleSwift } from './swift/demangle-swift.ts'

export interface DemangleOptions {
  /** `full` (the default) says everything the name holds, `short` what a person reads in a stack trace. */
  form?: 'full' | 'short'
}

/**
 * The name a person gave a symbol: C++ (Itanium ABI) and Swift names are demangled. All others are shown as they are:
 * C functions, Objective-C methods (`-[Class method]`), names that are broken or too costly to demangle.
 */
export function demangle(name: string, options: DemangleOptions = {}): string {
  const form = options.form ?? 'full'
  const demangled = isItaniumName(name) ? demangleItanium(name, form) : demangleSwift(name, form)
  return demangled ?? name
}

/** The same for a name in UTF-8 that stands in bytes from `start` to `end`. Gives `take` the bytes that it is shown as, which are good until it returns. */
export function demangleBytes(
  bytes: Buffer,
  start: number,
  end: number,
  form: 'full' | 'short',
  take: (text: Buffer, length: number) => void,
): void {
  const length = demanglePlainBytes(bytes, start, end, form === 'short')
  if (length >= 0) return take(plainText, length)
  const text = Buffer.from(demangle(bytes.toString('utf8', start, end), { form }))
  take(text, text.length)
}
