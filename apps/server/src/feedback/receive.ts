import type { Readable } from 'node:stream'
import { join } from 'node:path'
import { ApiError } from '@fairlead/contract'
import { lockApplication } from '../applications/find.ts'
import type { StagedFile } from '../blobs/blob-store.ts'
import { commitUpload } from '../blobs/commit.ts'
import { requireRoom } from '../blobs/quota.ts'
import { type KeptFile, retainBlobs } from '../blobs/records.ts'
import type { BuildRecord } from '../builds/build.ts'
import { requireBuild } from '../builds/find.ts'
import type { AppContext } from '../context.ts'
import { transact } from '../db/transact.ts'
import { tellHooks } from '../hooks/tell-hooks.ts'
import { refuseWhenFull } from '../http/queue-full.ts'
import { toNetwork } from '../passwords/network.ts'
import type { PictureAnswer } from '../pictures/picture-cleaner.ts'
import { type FeedbackForm, readForm } from './read-form.ts'
import { refuseFeedback } from './refuse.ts'
import { findSender, insertFeedback } from './store.ts'
import { type FeedbackWords, readUserAgent, readWords } from './words.ts'

export interface NewFeedback {
  build: Pick<BuildRecord, 'id' | 'workspace_id' | 'application_id' | 'secret'>
  /** The tester of a personal link, who may have been removed since. */
  testerId: number | null
  /** What feedback is counted by: the name of the link that it comes by. */
  link: string
  /** The client's IP address. */
  address: string
  contentType: string | undefined
  userAgent: string | undefined
  /** Opens the body; called once nothing else can refuse the request. */
  open(): Readable
  /** Filled while the form is read. */
  form: FeedbackForm
  signal: AbortSignal
}

type CleanedPicture = Exclude<PictureAnswer, { fault: string }> & { file: StagedFile }

/**
 * Receives feedback with its pictures. When this resolves, files and rows are durable; a failure leaves nothing behind.
 *
 * @returns the id of the feedback
 * @throws {ApiError} tooMuchFeedback, notMultipart, tooLarge, unreadableFeedback, invalidRequest, truncatedBody,
 *   idleUpload, quotaExceeded, insufficientStorage, buildNotFound
 */
export async function receiveFeedback(context: AppContext, input: NewFeedback): Promise<number> {
  const { staging } = context.blobs
  const takeBack = await countFeedback(context, input)
  const { form } = input
  try {
    await readForm(context, input.open(), input.contentType, form)
    const words = readWords(form.fields)
    const bytes = form.pictures.reduce((sum, { size }) => sum + size, 0)
    await using folder = await staging.openFolder(bytes)
    const pictures = await cleanPictures(context, input, folder.path)
    input.signal.throwIfAborted()
    const id = await commit(context, input, words, pictures)
    context.jobs.wake()
    return id
  } catch (error) {
    await takeBack()
    throw error
  } finally {
    for (const picture of form.pictures) await staging.discard(picture)
  }
}

/**
 * Counts feedback before it is read. The result takes it back, because what is refused leaves the sender as many
 * attempts as before; it is counted apart.
 *
 * @throws {ApiError} tooMuchFeedback
 */
async function countFeedback(
  { guard }: Pick<AppContext, 'guard'>,
  { link, address }: Pick<NewFeedback, 'link' | 'address'>,
): Promise<() => Promise<void>> {
  const { byLink, byAddress, attempts } = guard.feedback
  const network = toNetwork(address)
  const own = `${link} ${network}`
  const wait =
    (await attempts.count(own)) ??
    (await byAddress.count(own)) ??
    (await byLink.count(link).then(async (seconds) => {
      if (seconds !== undefined) await byAddress.takeBack(own)
      return seconds
    }))
  if (wait !== undefined) throw new ApiError('tooMuchFeedback', { headers: { 'retry-after': String(wait) } })
  return async () => {
    await byLink.takeBack(link)
    await byAddress.takeBack(own)
  }
}

async function cleanPictures(
  { readers, blobs }: Pick<AppContext, 'readers' | 'blobs'>,
  { form, link, signal }: NewFeedback,
  folder: string,
): Promise<CleanedPicture[]> {
  const cleaned: CleanedPicture[] = []
  for (const [index, { path }] of form.pictures.entries()) {
    const to = join(folder, String(index))
    const answer = await readers.pictures.clean({ from: path, to }, { turnKey: link, signal }).catch(refuseWhenFull)
    if ('fault' in answer) throw refuseFeedback(`pictures/${index}`, answer.fault)
    cleaned.push({ ...answer, file: await blobs.staging.adopt(to) })
  }
  return cleaned
}

async function commit(
  context: AppContext,
  { build: { id: buildId, workspace_id: workspaceId, application_id: applicationId }, ...input }: NewFeedback,
  words: FeedbackWords,
  pictures: CleanedPicture[],
): Promise<number> {
  const bytes = pictures.reduce((sum, { file }) => sum + file.size, 0)
  return commitUpload(context, async (keep) => {
    const files: KeptFile[] = []
    for (const { file } of pictures) files.push(await keep(file))
    return transact(context.db, async (trx) => {
      // Whoever deletes the build meanwhile waits, and then knows of these pictures.
      await lockApplication(trx, applicationId)
      const build = await requireBuild({ db: trx }, workspaceId, buildId)
      await requireRoom({ ...context, db: trx }, workspaceId, { bytes, builds: 0 })
      const tester = input.testerId === null ? undefined : await findSender(trx, workspaceId, input.testerId)
      const blobOf = await retainBlobs(trx, files)
      const id = await insertFeedback(
        trx,
        {
          workspace_id: workspaceId,
          application_id: applicationId,
          build_id: buildId,
          tester_id: tester?.id ?? null,
          ...words,
          user_agent: readUserAgent(input.userAgent),
          status: 'open',
          created_at: Date.now(),
        },
        pictures.map(({ type, width, height }, index) => {
          const file = files[index]
          return { blob_id: file === undefined ? 0 : blobOf(file).id, content_type: type, width, height }
        }),
      )
      await tellHooks(trx, { type: 'feedback.received', workspaceId, applicationId }, () => ({
        data: { feedbackId: id, buildId, pictureCount: pictures.length, hasTester: tester !== undefined },
        installSecret: build.secret,
        texts: { text: words.text },
        people: { tester: tester === undefined ? null : { id: tester.id, email: tester.email } },
      }))
      return { result: id, used: files.map((file) => blobOf(file).key) }
    })
  })
}
