import type { CommitList, ListedCommit } from './read-commits.ts'

/** The most bytes of a list that the server takes. */
const maxBytes = 4 * 2 ** 20
/** Files of commits with more files than this lose their lines first, then those with fewer. */
const fileCounts = [100, 20, 0]

/** Leaves out lines, then files, then the oldest commits, until the list is as small as the server wants it. */
export function fitList(list: CommitList): CommitList {
  let { commits } = list
  let isComplete = list.isComplete ?? true
  const isSmall = () => Buffer.byteLength(JSON.stringify({ ...list, commits })) <= maxBytes
  for (const most of fileCounts) {
    if (isSmall()) break
    commits = commits.map((commit) => (commit.files.length <= most ? commit : withoutLines(commit)))
  }
  for (let most = 300; most >= 1 && !isSmall(); most = Math.floor(most / 4)) {
    commits = commits.map((commit) => Object.assign({}, commit, { files: commit.files.slice(0, most) }))
    isComplete = false
  }
  while (commits.length > 0 && !isSmall()) {
    commits = commits.slice(0, commits.length >> 1)
    isComplete = false
  }
  return { ...list, isComplete, commits }
}

function withoutLines(commit: ListedCommit): ListedCommit {
  return { ...commit, files: commit.files.map(({ hunks: _lines, ...file }) => file) }
}
