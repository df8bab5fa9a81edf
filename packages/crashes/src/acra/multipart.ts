/** Finds the report among the parts of a multipart body. The other parts are attachments, which are not kept. */
import { CrashesError } from '../crashes-error.ts'

const maxParts = 100
const longestHeader = 8192

/** @throws {CrashesError} malformed when there is no part named ACRA_REPORT, too-large when there are too many parts */
export function findReportPart(body: Buffer, contentType: string): Buffer {
  const delimiter = Buffer.from(`--${readBoundary(contentType)}`)
  let at = body.indexOf(delimiter)
  for (let count = 0; at >= 0; count++) {
    if (count === maxParts) throw new CrashesError('too-large', `It has more than ${maxParts} parts.`)
    const start = at + delimiter.length
    at = body.indexOf(delimiter, start)
    const part = body.subarray(start, at < 0 ? body.length : at)
    const { headerEnd, contentStart } = findHeaderEnd(part)
    if (headerEnd < 0) continue
    if (headerEnd > longestHeader) throw new CrashesError('too-large', 'The header of a part is too long.')
    if (/name="?ACRA_REPORT"?/.test(part.toString('latin1', 0, headerEnd)))
      return trimLineEnd(part.subarray(contentStart))
  }
  throw new CrashesError('malformed', 'It has no part named ACRA_REPORT.')
}

/** ACRA writes its boundary without quotation marks, although it contains characters that require them. */
function readBoundary(contentType: string): string {
  const boundary = /boundary=(?:"([^"]{1,200})"|([^;\s]{1,200}))/i.exec(contentType)
  const text = boundary?.[1] ?? boundary?.[2]
  if (text === undefined) throw new CrashesError('malformed', 'The Content-Type names no boundary.')
  return text
}

function findHeaderEnd(part: Buffer): { headerEnd: number; contentStart: number } {
  const strict = part.indexOf('\r\n\r\n')
  if (strict >= 0) return { headerEnd: strict, contentStart: strict + 4 }
  const lenient = part.indexOf('\n\n')
  return { headerEnd: lenient, contentStart: lenient + 2 }
}

function trimLineEnd(content: Buffer): Buffer {
  const end = content.at(-1) === 10 ? (content.at(-2) === 13 ? 2 : 1) : 0
  return content.subarray(0, content.length - end)
}
