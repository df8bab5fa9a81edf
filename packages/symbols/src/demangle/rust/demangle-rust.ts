/**
 * Demangles names of Rust in its second mangling (v0, RFC 2603), with the output of LLVM's demangler. Names of the
 * older mangling are names of C++ with a hash at their end, and are demangled as those.
 */
import { limits } from '../limits.ts'
import { RustParser } from './rust-parser.ts'

export function isRustName(name: string): boolean {
  return name.startsWith('_R')
}

/** The name as in the source; undefined if it is malformed. */
export function demangleRust(name: string): string | undefined {
  if (name.length > limits.nameLength) return undefined
  const dot = name.indexOf('.')
  const parser = new RustParser(dot < 0 ? name.slice(2) : name.slice(2, dot))
  const text = parser.parse()
  return text === undefined || dot < 0 ? text : `${text} (${name.slice(dot)})`
}
