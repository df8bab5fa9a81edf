/** Which test files there are, and which of them the second engine has something to say about. */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const everything = [
  'packages/*/{src,test}/**/*.test.ts',
  'apps/*/{src,test}/**/*.test.ts',
  'scripts/**/*.test.ts',
  'test/**/*.test.ts',
]

/** The environment variables that name the second engine. Only a test that reads one of them runs on both engines. */
const engineVariable = /\bFAIRLEAD_TEST_(?:DATABASE|STORAGE)_URL\b/

/** Lists all test files, or those that one of the patterns matches. Throws when a pattern matches no test file. */
export function findTestFiles(root: string, patterns: string[]): string[] {
  const files = new Set(everything.flatMap((pattern) => globSync(pattern, { cwd: root })))
  if (patterns.length === 0) return [...files].toSorted()
  const chosen = patterns.flatMap((pattern) => {
    const found = globSync(pattern, { cwd: root }).filter((file) => files.has(file))
    if (found.length === 0) throw new Error(`${pattern} matches no test file`)
    return found
  })
  return [...new Set(chosen)].toSorted()
}

/**
 * Whether a test asks which engine to use, by itself or through a module that it imports. The others open no database
 * and no store, or always the embedded ones, so that running them on another engine would repeat them.
 */
export function asksForEngine(root: string, file: string): boolean {
  const waiting = [join(root, file)]
  const seen = new Set(waiting)
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const source = readFileSync(path, 'utf8')
    if (engineVariable.test(source)) return true
    for (const [, specifier = ''] of source.matchAll(/^(?:import|export) (?!type\b)[^']*?'(\.[^']+\.ts)'/gm)) {
      const target = join(dirname(path), specifier)
      // A program in a string of the test may import modules that only the test writes.
      if (seen.has(target) || !existsSync(target)) continue
      seen.add(target)
      waiting.push(target)
    }
  }
  return false
}
