import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** A Git repository of a test. */
export interface Checkout {
  folder: string
  git(...args: string[]): string
  /** Writes files, or deletes those that are null, and commits. Returns the hash of the commit. */
  commit(subject: string, files: Record<string, string | null>): string
}

const who = { name: 'Mara Lindqvist', email: 'mara@example.com' }

/** Creates an empty repository with the branch `main`, which no settings of this machine reach. */
export function createCheckout(folder: string): Checkout {
  mkdirSync(folder, { recursive: true })
  let seconds = Date.parse('2026-11-20T10:00:00Z') / 1000
  const git = (...args: string[]) =>
    execFileSync('git', args, {
      cwd: folder,
      encoding: 'utf8',
      env: {
        PATH: process.env.PATH,
        HOME: folder,
        GIT_CONFIG_NOSYSTEM: '1',
        GIT_AUTHOR_NAME: who.name,
        GIT_AUTHOR_EMAIL: who.email,
        GIT_COMMITTER_NAME: who.name,
        GIT_COMMITTER_EMAIL: who.email,
        GIT_AUTHOR_DATE: `${seconds} +0000`,
        GIT_COMMITTER_DATE: `${seconds} +0000`,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    }).trim()
  git('init', '--quiet', '--initial-branch=main')
  return {
    folder,
    git,
    commit(subject, files) {
      seconds += 60
      for (const [path, text] of Object.entries(files)) {
        const place = join(folder, path)
        mkdirSync(dirname(place), { recursive: true })
        if (text === null) rmSync(place)
        else writeFileSync(place, text)
      }
      git('add', '--all')
      git('commit', '--quiet', '--message', subject)
      return git('rev-parse', 'HEAD')
    },
  }
}
