import { ReportsError } from '../reports-error.ts'
import { cleanText } from '../text/clean-text.ts'
import { createReportDecoder } from '../text/report-decoder.ts'

export interface JsonText {
  value: unknown
  /** Whether some bytes were invalid in the encoding. */
  isBroken: boolean
}

/** Parses a whole file as JSON. Throws ReportsError `malformed`, with the line of the fault, or `too-large`. */
export async function readJson(chunks: AsyncIterable<Buffer>, maxBytes: number): Promise<JsonText> {
  const parts: Buffer[] = []
  let length = 0
  for await (const chunk of chunks) {
    length += chunk.length
    if (length > maxBytes) throw new ReportsError('too-large', `A JSON report may have ${maxBytes} bytes.`)
    parts.push(Buffer.from(chunk))
  }
  const bytes = Buffer.concat(parts, length)
  const decoder = createReportDecoder(bytes)
  const text = decoder.decode(bytes) + decoder.end()
  try {
    return { value: JSON.parse(text) as unknown, isBroken: decoder.isBroken }
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : ''
    const position = Number(/position (\d+)/.exec(message)?.[1] ?? text.length)
    const line = text.slice(0, position).split('\n').length
    throw new ReportsError('malformed', `It is not JSON: ${cleanText(message.slice(0, 200))}.`, { line }, { cause })
  }
}
