import { demangleItanium, isItaniumName } from './itanium/demangle-itanium.ts'
import { demangleFastBytes, viewFastText } from './itanium/fast/demangle-fast.ts'
import { demangleSwift } from './swift/demangle-swift.ts'

export interface DemangleOptions {
  /** `full` (the default) gives all that the name holds; `short` gives the form that suits a stack trace. */
  form?: 'full' | 'short'
}

/**
 * Returns the name of a symbol as it was written in the source: C++ (Itanium ABI) and Swift names are demangled. All
 * other names stay as they are: C functions, Objective-C methods (`-[Class method]`), and names that are malformed or
 * too costly to demangle.
 */
export function demangle(name: string, options: DemangleOptions = {}): string {
  const form = options.form ?? 'full'
  const demangled = isItaniumName(name) ? demangleItanium(name, form) : demangleSwift(name, form)
  return demangled ?? name
}

/**
 * Demangles a name in UTF-8 in `bytes` from `start` to `end`, and passes the result to `take` as bytes that are valid
 * until it returns.
 */
export function demangleBytes(
  bytes: Buffer,
  start: number,
  end: number,
  form: 'full' | 'short',
  take: (text: Buffer, length: number) => void,
): void {
  const length = demangleFastBytes(bytes, start, end, form === 'short')
  if (length >= 0) return take(viewFastText(), length)
  const text = Buffer.from(demangle(bytes.toString('utf8', start, end), { form }))
  take(text, text.length)
}
