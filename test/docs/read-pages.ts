/** Finds the commands in the pages for people. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { splitCommands } from './shell-words.ts'

const root = join(import.meta.dirname, '../..')

/** The paths of the pages in the repository. */
export const pages = globSync(
  ['*.md', 'docs/**/*.md', '{apps,packages,test,bench,actions,integrations}/**/README.md'],
  {
    cwd: root,
    exclude: (path) => /node_modules|CHANGELOG|docs\/decisions/.test(path),
  },
)

export interface FoundCommand {
  page: string
  words: string[]
  /** Inside a sentence a command may be cut; in a block it has to be whole. */
  isWhole: boolean
}

/** Lists the lines in the shell blocks of a page, joined where a backslash says so, without empty ones and comments. */
export function listShellLines(page: string): string[] {
  const text = readFileSync(join(root, page), 'utf8')
  const blocks = Array.from(text.matchAll(/^ *```(?:sh|console|bash)\n([^]*?)^ *```/gm), ([, block = '']) => block)
  const lines = blocks.flatMap((block) => block.replaceAll(/\\\n\s*/g, ' ').split('\n'))
  return lines.map((line) => line.trim()).filter((line) => line !== '' && !line.startsWith('#'))
}

/** Lists the commands in the blocks and the sentences of a page. */
export function listCommands(page: string): FoundCommand[] {
  const text = readFileSync(join(root, page), 'utf8')
  const lines = listShellLines(page)
  const prose = text.replaceAll(/^ *```[^]*?^ *```/gm, '')
  const inline = Array.from(
    prose.matchAll(/`((?:fairlead|fairlead-server|npm (?:run|test)) [^`]+)`/g),
    ([, one = '']) => one.replaceAll(/\s+/g, ' '),
  )
  return [
    ...lines.flatMap((line) => readLine(page, line, true)),
    ...inline.flatMap((line) => readLine(page, line, false)),
  ]
}

function readLine(page: string, line: string, isWhole: boolean): FoundCommand[] {
  // Texts over several lines belong to other programs. A comment may hold a single quotation mark.
  const code = line.replace(/(^|\s)#.*$/, '')
  if (!/\b(fairlead|npm|node)\b/.test(code) || (code.split("'").length - 1) % 2 === 1) return []
  return splitCommands(code).map((words) => ({ page, words: unwrap(words), isWhole }))
}

/** Takes away what may stand before the name of a program: variables, npx with its options, sudo. */
function unwrap(words: readonly string[]): string[] {
  const rest = [...words]
  while (/^(\w+=.*|sudo|\$|export)$/.test(rest[0] ?? '')) rest.shift()
  if (rest[0] !== 'npx') return rest
  const end = rest.indexOf('--')
  return rest[1]?.startsWith('--') === true && end !== -1 ? rest.slice(end + 1) : rest.slice(1)
}
