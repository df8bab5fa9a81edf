import { demangleItanium, isItaniumName } from './itanium/demangle-itanium.ts'
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
