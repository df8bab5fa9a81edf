/**
 * Finds the files of an archive that reports name as their attachments. They are no reports, whatever is in them: the
 * test of a program that writes JUnit XML may attach what that wrote. The files are searched before they are read,
 * because the cases of a report that was read cannot be taken back.
 */
import type { PlannedFile } from './plan-files.ts'
import { createPathIndex } from './archive/path-index.ts'
import type { Upload, UploadEntry } from './archive/upload.ts'

const references = new RegExp(
  [
    String.raw`\[\[ATTACHMENT\|([^\]\n]{1,2000})\]\]`,
    String.raw`<property name="attachment[^"]{0,200}" value="([^"]{1,2000})"`,
    String.raw`"(?:source|path)"\s*:\s*"((?:[^"\\]|\\.){1,2000})"`,
  ].join('|'),
  'gi',
)
const signs = ['ATTACHMENT|', 'attachment', '"source"', '"path"']
/** A reference may lie across two chunks. */
const overlap = 2100

const reportKinds = new Set<PlannedFile['kind']>(['junit', 'json', 'xml', 'unsupported', 'conflict', 'instrumentation'])

/** Returns the entries that the planned reports of an archive name as attachments. */
export async function findNamedAttachments(
  upload: Upload,
  planned: readonly PlannedFile[],
  maxBytes: number,
): Promise<Set<UploadEntry>> {
  const reports = planned.filter(({ kind }) => reportKinds.has(kind))
  const named = new Set<UploadEntry>()
  if (!upload.isArchive || reports.length < 2) return named
  const entries = reports.map(({ entry }) => entry)
  const index = createPathIndex(entries)
  for (const { entry } of reports) {
    let rest = ''
    for await (const chunk of upload.stream(entry, maxBytes)) {
      if (rest === '' && !signs.some((sign) => chunk.includes(sign))) {
        rest = chunk.toString('utf8', Math.max(0, chunk.length - overlap))
        if (!signs.some((sign) => rest.includes(sign.slice(0, 4)))) rest = ''
        continue
      }
      const text = rest + chunk.toString('utf8')
      for (const [, marker, property, json] of text.matchAll(references)) {
        const path = decode(marker ?? property ?? json ?? '')
        const found = /^data:|^https?:/i.test(path) ? undefined : index.find(path, entry.path)
        if (found && found !== entry) named.add(found)
      }
      rest = text.slice(-overlap)
    }
  }
  return named
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function decode(path: string): string {
  return path
    .replaceAll(/&(amp|lt|gt|quot|apos);/g, (_, name: string) => entities[name] ?? '')
    .replaceAll(/\\(.)/g, '$1')
}
