import { readGit } from '../commits/run-git.ts'
import type { Io } from '../io.ts'
import { toShownLine } from '../output/shown-text.ts'
import type { ForgeRemark } from './forges/forge.ts'
import type { ReportedFailure } from './report-content.ts'

const longestMessage = 2000

/** Lists the paths of the checkout, from its root; none without Git. */
export async function listSources(io: Io): Promise<string[]> {
  const output = await readGit(io, ['ls-files', '--full-name', '-z', ':/'])
  return (output ?? '').split('\0').filter((path) => path !== '')
}

/**
 * Writes a remark for each failure whose line is known and whose file is one of the checkout. A stack may name only the
 * last part of the path, or the path on another machine. A name that fits several files gives no remark.
 */
export function findRemarks(failures: readonly ReportedFailure[], sources: readonly string[]): ForgeRemark[] {
  return failures.flatMap(({ name, message, file, line }) => {
    const path = file === null ? undefined : findSource(file.replaceAll('\\', '/'), sources)
    if (path === undefined || line === null || line < 1) return []
    const text = toShownLine(message ?? '').slice(0, longestMessage)
    return [{ path, line, title: toShownLine(name), message: text.trim() === '' ? 'This test failed.' : text }]
  })
}

function findSource(file: string, sources: readonly string[]): string | undefined {
  const relative = file.replace(/^(\.\/)+/, '')
  if (sources.includes(relative)) return relative
  const longer = sources.filter((path) => path.endsWith(`/${relative}`))
  if (longer.length > 0) return longer.length === 1 ? longer[0] : undefined
  const [first, second] = sources
    .filter((path) => path.includes('/') && relative.endsWith(`/${path}`))
    .toSorted((a, b) => b.length - a.length)
  return first === undefined || first.length === second?.length ? undefined : first
}
