/**
 * Keeps the scripts and styles of the dashboard that were served before an upgrade, for a day. A tab that is open
 * during the upgrade asks for them when it shows another page.
 */
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { cp, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** How long the files of an earlier version are kept, in milliseconds. */
const keptMs = 24 * 60 * 60 * 1000

/** At most this number of earlier versions is kept, so that many upgrades on one day do not fill the disk. */
const maxVersions = 5

/** The file with the time, in milliseconds since 1970, at which the version of its folder ended. */
const endFile = 'ended'

/** The folder of a copy that is being made begins with a dot. One that is older than this was cut off. */
const copyingMs = 60 * 60 * 1000

/** Returns the folder of the earlier version that has the file `assets/{name}`. */
export type FindKeptAsset = (name: string) => string | undefined

/** Adds the files of the built dashboard in `root` to the versions in `folder`. */
export async function keepAssets(root: string, folder: string): Promise<void> {
  const version = await readVersion(root)
  const own = join(folder, version)
  if (existsSync(own)) return
  const copy = join(folder, `.${version}-${process.pid}`)
  await cp(join(root, 'assets'), join(copy, 'assets'), { recursive: true })
  // A replica that shares the folder may have been faster.
  await rename(copy, own).catch(() => rm(copy, { recursive: true, force: true }))
}

/** Notes that the version in `root` is served from now on, and deletes the versions that ended a day ago. */
export async function openKeptAssets(root: string, folder: string, now = Date.now()): Promise<FindKeptAsset> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const current = await readVersion(root)
  await rm(join(folder, current, endFile), { force: true })
  const earlier = await deleteOld(folder, current, now)
  return (name) => {
    if (!/^[\w-][\w.-]{0,200}$/.test(name)) return undefined
    return earlier.find((path) => existsSync(join(path, 'assets', name)))
  }
}

/** The page names all scripts with their content hashes, so its own hash stands for the version. */
async function readVersion(root: string): Promise<string> {
  const page = await readFile(join(root, 'index.html'))
  return createHash('sha256').update(page).digest('hex').slice(0, 16)
}

/** Returns the folders of the earlier versions that are kept, newest first. */
async function deleteOld(folder: string, current: string, now: number): Promise<string[]> {
  const kept: { path: string; endedAt: number }[] = []
  for (const name of await readdir(folder)) {
    const path = join(folder, name)
    if (name === current) continue
    if (name.startsWith('.')) {
      if (now - (await stat(path)).mtimeMs > copyingMs) await rm(path, { recursive: true, force: true })
      continue
    }
    kept.push({ path, endedAt: await readEnd(path, now) })
  }
  kept.sort((one, other) => other.endedAt - one.endedAt)
  const isKept = ({ endedAt }: { endedAt: number }, index: number) => now - endedAt <= keptMs && index < maxVersions
  for (const [index, one] of kept.entries()) {
    if (!isKept(one, index)) await rm(one.path, { recursive: true, force: true })
  }
  return kept.filter(isKept).map(({ path }) => path)
}

/** Returns when the version of a folder ended, which is now if its files were served until this start. */
async function readEnd(path: string, now: number): Promise<number> {
  const file = join(path, endFile)
  const ended = await readFile(file, 'utf8').catch(() => null)
  if (ended !== null) return Number(ended) || 0
  await writeFile(file, String(now))
  return now
}
