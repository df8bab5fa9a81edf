import { type ReportPath, readReportPath } from './archive/report-path.ts'
import type { Upload, UploadEntry } from './archive/upload.ts'
import { type Detected, detectFormat, sniffedBytes } from './detect/detect-format.ts'
import { type Bundle, findBundles } from './xcode/find-bundles.ts'

export type PlannedFile = { entry: UploadEntry; path: ReportPath } & (
  | { kind: 'junit' | 'instrumentation' | 'xml' | 'none' | 'conflict' }
  | Extract<Detected, { kind: 'json' | 'unsupported' }>
  | { kind: 'xcresult'; bundle: Bundle }
)

const noPath: ReportPath = { suite: null, environment: null, run: null }

/**
 * Lists the files of an upload that may be reports, in the order in which to read them: by path, with the attempts of
 * one file one after the other, and logs of `am instrument` last. Other files may be attachments.
 */
export function planFiles(upload: Upload): PlannedFile[] {
  const bundles = upload.isArchive ? findBundles(upload.entries) : []
  const planned: PlannedFile[] = bundles.map((bundle) => ({
    kind: 'xcresult',
    entry: bundle.entry,
    path: noPath,
    bundle,
  }))
  for (const entry of upload.entries) {
    const name = entry.path.slice(entry.path.lastIndexOf('/') + 1)
    const isForeign = name.startsWith('._') || entry.path.startsWith('__MACOSX/')
    if (isForeign || bundles.some(({ folder }) => isInside(entry.path, folder))) continue
    const detected = detectFormat(upload.readStart(entry, sniffedBytes))
    const path = upload.isArchive ? readReportPath(entry.path) : noPath
    planned.push({ ...detected, entry, path })
  }
  return orderAttempts(planned)
}

function isInside(path: string, folder: string): boolean {
  return folder === '' || path.startsWith(`${folder}/`)
}

/** Gives files that are attempts of one file the same group, and puts them in order at the place of the first. */
function orderAttempts(files: PlannedFile[]): PlannedFile[] {
  const groups = new Set(files.map(({ path }) => path.run?.group))
  const numbered = files.map((file): PlannedFile => {
    if (file.path.run !== null || !groups.has(file.entry.path)) return file
    return { ...file, path: { ...file.path, run: { group: file.entry.path, attempt: 0 } } }
  })
  const places = new Map<string, number>()
  const placeOf = (file: PlannedFile, index: number) => {
    const group = file.path.run?.group
    if (group === undefined) return index
    places.set(group, Math.min(index, places.get(group) ?? index))
    return places.get(group) ?? index
  }
  return numbered
    .map((file, index) => ({ file, place: placeOf(file, index), attempt: file.path.run?.attempt ?? 0 }))
    .sort((a, b) => rankOf(a.file) - rankOf(b.file) || a.place - b.place || a.attempt - b.attempt)
    .map(({ file }) => file)
}

function rankOf(file: PlannedFile): number {
  return file.kind === 'instrumentation' ? 1 : 0
}
