/**
 * Checks that the lines of tracked TypeScript and style sheets end at 120 columns, comments included. The formatter
 * wraps code only, so long comments and strings would otherwise stay.
 *
 * A column is one Unicode code point. The only exception is a line that fits without its URLs, because a URL cannot
 * be wrapped.
 *
 * Markdown is not checked: its tables and links cannot be wrapped.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const widthLimit = 120

const root = join(import.meta.dirname, '..')

/** Returns a line too wide as `{line}: {width} columns`, for each one in the text. */
export function findWideLines(text: string): string[] {
  return text.split(/\r?\n/).flatMap((line, index) => {
    const width = Array.from(line).length
    if (width <= widthLimit || fitsWithoutUrls(line)) return []
    return [`${index + 1}: ${width} columns`]
  })
}

function fitsWithoutUrls(line: string): boolean {
  const rest = line.replace(/https?:\/\/[^\s'"`<>)]+/g, '')
  return rest.length < line.length && Array.from(rest).length <= widthLimit
}

/** Returns the wide lines of all tracked files, each as `{path}:{line}: {width} columns`. */
export function findWideLinesOfProject(): string[] {
  const tracked = execFileSync('git', ['ls-files', '-z', '*.ts', '*.tsx', '*.css'], { cwd: root, encoding: 'utf8' })
  return tracked
    .split('\0')
    .filter((path) => path !== '')
    .flatMap((path) => findWideLines(readFileSync(join(root, path), 'utf8')).map((line) => `${path}:${line}`))
}

if (import.meta.main) {
  const faults = findWideLinesOfProject()
  for (const fault of faults) console.error(fault)
  if (faults.length > 0) console.error(`${faults.length} lines are wider than ${widthLimit} columns`)
  process.exitCode = faults.length > 0 ? 1 : 0
}
