import { setTimeout } from 'node:timers/promises'
import { ForgeError } from './forges/call-forge.ts'
import type { Forge, ForgeComment } from './forges/forge.ts'

/** The most rounds in which a job writes; each one past the second means that another job wrote meanwhile. */
const maxRounds = 60
const longestPauseMs = 1500

/**
 * Keeps one comment on a pull request, although many jobs write it at the same moment and forges know no condition on
 * writes. The comment of the lowest id is kept and all others of the same mark are deleted. A job writes
 * what is true now, and ends only when the comment that it reads back is what is true by then; so the job that writes
 * last also checks last, and an older state cannot stay.
 */
export async function keepComment(forge: Forge, mark: string, render: () => Promise<string>): Promise<void> {
  for (let round = 0; round < maxRounds; round++) {
    if (round > 0) await setTimeout(Math.random() * Math.min(longestPauseMs, 50 * 2 ** round))
    const listed = await forge.listComments()
    const ours = listed.filter(({ text }) => text.trimStart().startsWith(mark))
    const [kept, ...others] = ours.toSorted((a, b) => a.id.localeCompare(b.id, 'en', { numeric: true }))
    const text = await render()
    if (!kept) {
      await forge.createComment(text)
      continue
    }
    for (const other of others) await unlessGone(() => forge.deleteComment(other))
    if (isSame(kept, text) && others.length === 0) return
    if (!isSame(kept, text)) await unlessGone(() => forge.updateComment(kept, text))
  }
  throw new Error('Other jobs kept changing the comment')
}

/** Forges change line ends, and space at the end of a comment. */
function isSame(comment: ForgeComment, text: string): boolean {
  return normalize(comment.text) === normalize(text)
}

function normalize(text: string): string {
  return text.replaceAll('\r\n', '\n').trim()
}

/** Another job may have deleted the comment meanwhile; the next round sees it. */
async function unlessGone(write: () => Promise<void>): Promise<void> {
  try {
    await write()
  } catch (error) {
    if (!(error instanceof ForgeError) || (error.status !== 404 && error.status !== 410)) throw error
  }
}
