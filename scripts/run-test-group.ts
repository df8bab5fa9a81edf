/**
 * Runs the test files in its arguments one after the other in one process, so that their common modules are loaded
 * once. A file may not rely on hooks outside of a suite, which belong to the whole process.
 */
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'

/** The name of an empty test after each file, which begins when all tests of the file have ended. */
export const endOfFile = 'the end of a test file'

if (import.meta.main) {
  for (const path of process.argv.slice(2)) {
    await import(pathToFileURL(path).href)
    await test(endOfFile, () => {})
  }
}
