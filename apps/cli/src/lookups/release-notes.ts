import { readFile, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { CliError } from '../cli-error.ts'
import type { Io } from '../io.ts'

/** The longest release notes that the server accepts, in characters. */
const limit = 64 * 1024

export interface NotesFlags {
  readonly notes?: string
  readonly notesFile?: string
}

/** Reads release notes from a flag, a file, or standard input for `-`; undefined if none are given. */
export async function readReleaseNotes(io: Io, { notes, notesFile }: NotesFlags): Promise<string | undefined> {
  if (notes !== undefined && notesFile !== undefined) {
    throw new CliError('usage', 'Only one of --notes and --notes-file can be given')
  }
  const given = notesFile === undefined ? notes : await readNotesFile(io, notesFile)
  if (given !== undefined && given.length > limit) {
    throw new CliError('refused', `The release notes have ${given.length} characters, and the limit is ${limit}`, {
      fix: 'Give only the part for this version.',
    })
  }
  return given
}

async function readNotesFile(io: Io, path: string): Promise<string> {
  if (path === '-') return await text(io.stdin)
  const resolved = resolve(io.cwd, path)
  const { size } = await stat(resolved)
  // A character has at most four bytes. A larger file is refused instead of cut, because it is probably the wrong file.
  if (size > limit * 4) throw new CliError('refused', `${path} is too large for release notes`)
  return await readFile(resolved, 'utf8')
}
