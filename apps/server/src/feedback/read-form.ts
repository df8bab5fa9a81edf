import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { Busboy, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy'
import { ApiError, feedbackLimits } from '@fairlead/contract'
import type { StagedFile } from '../blobs/blob-store.ts'
import { receivePieces } from '../blobs/receive-pieces.ts'
import type { AppContext } from '../context.ts'
import { refuseFeedback } from './refuse.ts'

/** What a form has beside its pictures: other fields and the heads of its parts. */
export const formOverhead = 2 ** 20

/** A field of text is decoded, so that its limit in bytes is above what its characters need. */
const limits = { fieldSize: 64 * 1024, fields: 20, files: 20, parts: 40, headerPairs: 20, headerSize: 8192 }

export interface FeedbackForm {
  /** The fields by name, filled while the form is read, so that a refused form is shown again with them. */
  fields: Map<string, string>
  /** The files of the field `pictures`, as they came. */
  pictures: StagedFile[]
}

/**
 * Reads a `multipart/form-data` body: pictures become staged files, other files are ignored. The caller discards the
 * staged files, also when this fails.
 *
 * @throws {ApiError} notMultipart, tooLarge, unreadableFeedback, invalidRequest, truncatedBody, idleUpload
 */
export async function readForm(
  { blobs, config }: Pick<AppContext, 'blobs' | 'config'>,
  body: Readable,
  contentType: string | undefined,
  form: FeedbackForm,
): Promise<void> {
  const parser = createParser(contentType)
  const { promise: failed, reject: fail } = Promise.withResolvers<never>()
  failed.catch(() => {})
  const finished = Promise.race([once(parser, 'finish'), failed])
  finished.catch(() => {})
  const files: Promise<void>[] = []
  const streams: BusboyFileStream[] = []
  let [count, pictureBytes] = [0, 0]

  const stage = async (stream: BusboyFileStream, fileName: string | undefined) => {
    const left = feedbackLimits.bytes - pictureBytes
    const limit = { maxBytes: Math.min(feedbackLimits.pictureBytes, left), idleMs: config.uploadIdleMs }
    const staged = await blobs.staging.receive(stream, limit)
    form.pictures.push(staged)
    pictureBytes += staged.size
    // A browser sends an empty file without a name where none was chosen.
    if (staged.size > 0 || (fileName ?? '') !== '') count++
    else await blobs.staging.discard(form.pictures.pop() ?? staged)
    if (count > feedbackLimits.pictures) {
      throw refuseFeedback(`pictures/${count - 1}`, `is one too many: ${feedbackLimits.pictures} are accepted`)
    }
  }
  parser.on('field', (name, value, _isNameCut, isCut) => {
    // What is cut is far above every limit, and refused for it.
    if (!form.fields.has(name)) form.fields.set(name, isCut ? value.padEnd(limits.fieldSize) : value)
  })
  let last = Promise.resolve()
  parser.on('file', (name, stream, fileName) => {
    // A file that is cut off fails before its turn has come, when nobody else listens.
    stream.on('error', (cause) => {
      stream.destroy()
      fail(new ApiError('truncatedBody', { cause }))
    })
    if (name !== 'pictures') {
      stream.resume()
      return
    }
    streams.push(stream)
    // One after another, as they come; a part is not parsed before the one before it is taken.
    last = last.then(() => stage(stream, fileName))
    last.catch(fail)
    files.push(last)
  })
  parser.on('error', (cause) => fail(new ApiError('invalidRequest', { detail: 'The form cannot be read', cause })))

  let size = 0
  const take = (piece: Buffer) => {
    size += piece.length
    if (size > feedbackLimits.bytes + formOverhead) throw new ApiError('tooLarge')
    return parser.write(piece) ? undefined : Promise.race([once(parser, 'drain'), failed])
  }
  try {
    await Promise.race([receivePieces(body, config.uploadIdleMs, take), failed])
    parser.end()
    await finished
    await Promise.all(files)
  } finally {
    // Nothing waits for the rest of files that will not come.
    for (const stream of streams) stream.destroy()
    parser.destroy()
    await Promise.allSettled(files)
  }
}

function createParser(contentType: string | undefined): BusboyInstance {
  if (contentType === undefined || !/^multipart\/form-data\b/i.test(contentType)) throw new ApiError('notMultipart')
  try {
    return new Busboy({ headers: { 'content-type': contentType }, limits })
  } catch (cause) {
    throw new ApiError('invalidRequest', { detail: 'The Content-Type names no boundary', cause })
  }
}
