import type { Client } from '@fairlead/client'
import type { Io } from '../io.ts'
import { readHunks } from './read-hunks.ts'
import { readGit } from './run-git.ts'

export type CommitList = Parameters<Client['builds']['replaceCommits']>[1]
export type ListedCommit = CommitList['commits'][number]
export type ListedFile = ListedCommit['files'][number]

export interface ReadOptions {
  /** The commits from here on are read; null reads the last ones. */
  base: string | null
  head: string
  /** Only commits that touch these folders. */
  paths: readonly string[]
  most: number
  withSubjects: boolean
  withAuthors: boolean
}

/** The limits of the server. */
const maxPath = 1000
const maxText = 300

/**
 * Reads commits and the files that they touched, newest first, without merges. Of the changes only line numbers are
 * kept. Undefined if git does not know them.
 */
export async function readCommits(io: Io, options: ReadOptions): Promise<ListedCommit[] | undefined> {
  const { base, head, paths, most } = options
  const range = base === null ? head : `${base}..${head}`
  const limited = ['--', ...paths]
  const format = '--format=%x01%H%x00%cI%x00%s%x00%an%x00%ae'
  const log = ['log', '--no-merges', '-M', '--name-status', '-z', '--no-color', format, `--max-count=${most}`]
  const text = await readGit(io, ['--literal-pathspecs', ...log, range, ...limited])
  if (text === undefined) return undefined
  const commits = parseLog(text, options)
  const hunks = await readHunks(
    io,
    commits.map(({ id }) => id),
    paths,
  )
  for (const commit of commits) addHunks(commit, hunks.get(commit.id))
  return commits
}

/** Files without their hunks are of use as well. */
function addHunks(commit: ListedCommit, hunks: [number, number][][] | undefined): void {
  if (hunks?.length !== commit.files.length) return
  for (const [place, file] of commit.files.entries()) file.hunks = hunks[place] ?? []
}

/** Each commit begins with the byte 1; its fields, and the names of its files, end with NUL. */
function parseLog(text: string, { withSubjects, withAuthors }: Pick<ReadOptions, 'withSubjects' | 'withAuthors'>) {
  return text.split('\u0001').flatMap((record): ListedCommit[] => {
    const [id = '', date = '', subject = '', name = '', email = '', ...names] = record.split('\0')
    if (!/^[0-9a-f]{40,64}$/.test(id)) return []
    return [
      {
        id,
        date,
        ...(withSubjects && { subject: cut(subject) }),
        ...(withAuthors && { author: { name: cut(name), email: cut(email) } }),
        files: parseFiles(names),
      },
    ]
  })
}

const statuses = ['A', 'M', 'D', 'R', 'C', 'T'] as const

/** A status, then one path, or two if the file was renamed or copied. */
function parseFiles(names: string[]): ListedFile[] {
  const files: ListedFile[] = []
  for (let at = 0; at < names.length; at++) {
    // Git puts a line feed between the fields of a commit and its files.
    const letter = names[at]?.replace(/^\n+/, '')[0]
    const status = statuses.find((one) => one === letter)
    if (status === undefined) continue
    const hasTwo = status === 'R' || status === 'C'
    const previousPath = hasTwo ? names[++at] : undefined
    const path = names[++at]
    if (path === undefined) break
    files.push({ path, status, ...(previousPath !== undefined && { previousPath }) })
  }
  return files
}

function cut(text: string): string {
  return text.slice(0, maxText).toWellFormed()
}

/** Leaves out files whose paths the server would refuse. */
export function dropLongPaths(commits: readonly ListedCommit[]): ListedCommit[] {
  return commits.map((commit) => ({
    ...commit,
    files: commit.files.filter(
      ({ path, previousPath }) =>
        path !== '' && path.length <= maxPath && previousPath !== '' && (previousPath ?? '').length <= maxPath,
    ),
  }))
}
