import { toModule, type TombstoneFrame, tombstoneLimits } from './tombstone.ts'

/** What the kernel appends to the path of a file that was deleted, or of memory that has no file. */
const deletedMark = ' (deleted)'

/**
 * Parses a frame such as `#01 pc 00006244  /a path/base.apk!lib.so (offset 0x1000) (name(int)+4) (BuildId: 94ab)`.
 * Paths and names have spaces and parentheses in them, so the fixed parts are taken from both ends. undefined for other
 * text.
 */
export function parseTombstoneFrame(text: string, raw: string): TombstoneFrame | undefined {
  const start = /^\s{0,40}#(\d{2,5}) {1,8}pc (?:0x)?([0-9a-f]{1,16}) {1,8}/i.exec(text)
  if (!start) return undefined
  let rest = text.slice(start[0].length).trimEnd()
  const id = / \(BuildId: ([0-9a-f]{1,1000})\)$/i.exec(rest)
  if (id) rest = rest.slice(0, -id[0].length)
  const buildId = id?.[1] !== undefined && id[1].length <= tombstoneLimits.buildIdLength ? id[1].toLowerCase() : null
  const { path, name } = splitPath(rest)
  const offset = name === null ? null : /\+(\d{1,15})$/.exec(name)
  return {
    index: Number(start[1]),
    pc: Number.parseInt(start[2] ?? '', 16),
    path: path.slice(0, tombstoneLimits.nameLength),
    module: toModule(path).slice(0, tombstoneLimits.nameLength),
    function: (offset ? name?.slice(0, offset.index) : name) || null,
    functionOffset: Number(offset?.[1] ?? 0),
    buildId,
    raw,
  }
}

function splitPath(text: string): { path: string; name: string | null } {
  const offset = / \(offset 0x[0-9a-f]{1,16}\)/i.exec(text)
  if (offset) {
    const rest = text.slice(offset.index + offset[0].length)
    return { path: text.slice(0, offset.index), name: rest.startsWith(' (') ? rest.slice(2, -1) : null }
  }
  if (!text.endsWith(')') || text.endsWith(deletedMark)) return { path: text, name: null }
  const open = findOpening(text)
  if (open < 1 || text[open - 1] !== ' ') return { path: text, name: null }
  return { path: text.slice(0, open - 1), name: text.slice(open + 1, -1) }
}

/** The parenthesis that the last one closes; −1 for none. A name has as many opening ones as closing ones. */
function findOpening(text: string): number {
  let depth = 0
  for (let at = text.length - 1; at >= 0; at--) {
    if (text[at] === ')') depth++
    else if (text[at] === '(' && --depth === 0) return at
  }
  return -1
}
