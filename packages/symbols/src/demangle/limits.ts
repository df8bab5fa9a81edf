/**
 * Limits on the cost of a hostile name. A name beyond one of them is shown raw; the output of compilers stays far
 * below.
 */
export const limits = {
  /** UTF-16 units of a mangled name. */
  nameLength: 65_536,
  /** UTF-16 units of the output, which substitutions can double with every letter. */
  outputLength: 1_048_576,
  /** Nested constructs, while parsing and while printing. */
  depth: 768,
  /** Nodes made or printed for one name. */
  steps: 500_000,
  /** Names demangled inside of one Swift name, and how deep. */
  nestedNames: 16,
  nestedDepth: 4,
} as const
