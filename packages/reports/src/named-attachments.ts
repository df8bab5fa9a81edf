/**
 * Finds the files of an archive that reports name as their attachments. They are no reports, whatever is in them: the
 * test of a program that writes JUnit XML may attach what that wrote. The files are searched before they are read,
 * because the cases of a report that was read cannot be taken back.
 */
import { createPieceDecoder, type PieceDecoder } from '@fairlead/binary/piece-decoder'
import type { PlannedFile } from './plan-files.ts'
import { createPathIndex } from './archive/path-index.ts'
import type { Upload, UploadEntry } from './archive/upload.ts'

const marker = /\[\[ATTACHMENT\|([^\]\n]{1,2000})\]\]/gi
/** A property with its attributes in any order, and its text. */
const property = /<property\s((?:[^"'>]|"[^"]{0,2000}"|'[^']{0,2000}'){1,2400})>([^<]{0,2000})/g
const attribute = /\b(name|value)\s*=\s*(?:"([^"]*)"|'([^']*)')/g
const jsonField = /"(?:source|path)"\s*:\s*("(?:[^"\\]|\\.){1,2000}")/g

const xmlSigns = ['TTACHMENT|', 'ttachment']
const jsonSigns = ['"source"', '"path"']
/** Bytes of a chunk that are looked at again with the next one, because a reference may lie across both. */
const overlap = 5000

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
  for (const { entry, kind } of reports) {
    const isJson = kind === 'json' || kind === 'unsupported'
    const signs = isJson ? jsonSigns : xmlSigns
    let decoder: PieceDecoder | undefined
    let tail = Buffer.alloc(0)
    for await (const chunk of upload.stream(entry, maxBytes)) {
      decoder ??= createPieceDecoder(chunk)
      const isOther = decoder !== undefined && decoder.encoding !== 'utf-8'
      const bytes = Buffer.concat([tail, isOther && decoder ? Buffer.from(decoder.decode(chunk)) : chunk])
      tail = bytes.subarray(-overlap)
      if (!signs.some((sign) => bytes.includes(sign))) continue
      const text = bytes.toString('utf8')
      for (const path of isJson ? listJsonPaths(text) : listXmlPaths(text)) {
        const found = /^data:|^https?:/i.test(path) ? undefined : index.find(path, entry.path)
        if (found && found !== entry) named.add(found)
      }
    }
  }
  return named
}

function listXmlPaths(text: string): string[] {
  const paths = Array.from(text.matchAll(marker), ([, path = '']) => path)
  for (const [, attributes = '', content = ''] of text.matchAll(property)) {
    const values = new Map(
      Array.from(attributes.matchAll(attribute), ([, key, quoted, single]) => [key, quoted ?? single ?? '']),
    )
    if (/^attachment/i.test(values.get('name') ?? '')) paths.push(values.get('value') ?? content.trim())
  }
  return paths.map(decodeEntities)
}

function listJsonPaths(text: string): string[] {
  return Array.from(text.matchAll(jsonField), ([, json = '']) => json).flatMap((json) => {
    try {
      return [String(JSON.parse(json))]
    } catch {
      return []
    }
  })
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function decodeEntities(path: string): string {
  return path.replaceAll(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(amp|lt|gt|quot|apos));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return entities[String(name).toLowerCase()] ?? whole
    const code = decimal === undefined ? Number.parseInt(String(hex), 16) : Number(decimal)
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })
}
