import type { IncomingMessage } from 'node:http'

const maxBytes = 64 * 1024
/** How long the body of an answer may take after its headers. */
const bodyMs = 5000

export interface AnswerBody {
  /** At most the first 64 KiB; null for an answer that is no text. */
  text: string | null
}

/** Reads the beginning of an answer. What goes wrong after the headers changes nothing, so this never rejects. */
export async function readAnswer(response: IncomingMessage): Promise<AnswerBody> {
  const chunks: Buffer[] = []
  let size = 0
  await new Promise<void>((done) => {
    const timer = setTimeout(done, bodyMs)
    const end = () => {
      clearTimeout(timer)
      done()
    }
    response.on('data', (chunk: Buffer) => {
      if (size < maxBytes) chunks.push(chunk.subarray(0, maxBytes - size))
      size += chunk.length
      if (size >= maxBytes) end()
    })
    response.once('end', end).once('close', end).on('error', end)
  })
  response.destroy()
  return { text: isText(response) ? Buffer.concat(chunks).toString('utf8') : null }
}

function isText({ headers }: IncomingMessage): boolean {
  const { 'content-type': type = 'text/plain', 'content-encoding': encoding = 'identity' } = headers
  return encoding === 'identity' && /^(text\/|application\/([\w.-]+\+)?(json|xml)\b)/i.test(type)
}
