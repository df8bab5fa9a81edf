import { demangleItanium, isItaniumName } from './itanium/demangle-itanium.ts'
import { demangleRust, isRustName } from './rust/demangle-rust.ts'
import { demangleSwift } from './swift/demangle-swift.ts'

export interface DemangleOptions {
  /** `full` (the default) gives all that the name holds; `short` gives the form that suits a stack trace. */
  form?: 'full' | 'short'
}

/**
 * Returns the name of a symbol as it was written in the source: C++ (Itanium ABI), Rust and Swift names are demangled.
 * All other names stay as they are: C functions, Objective-C methods (`-[Class method]`), and names that are malformed
 * or too costly to demangle.
 */
export function demangle(name: string, options: DemangleOptions = {}): string {
  const form = options.form ?? 'full'
  const demangled = isItaniumName(name)
    ? demangleItanium(name, form)
    : isRustName(name)
      ? demangleRust(name)
      : demangleSwift(name, form)
  return demangled ?? name
}
