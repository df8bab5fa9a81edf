/** Main module of an app reader's process. */
import { BinaryError } from '../binary-error.ts'
import { readImages } from '../images/read-images.ts'
import { readApp } from '../read-app.ts'
import { readIcon } from '../read-icon.ts'
import { answerRequests } from './answer-requests.ts'
import type { ReaderAnswer, ReaderRequest } from './messages.ts'

async function answer(request: ReaderRequest): Promise<ReaderAnswer> {
  try {
    if (request.verb === 'readApp') return { value: await readApp(request.path, request.options) }
    if (request.verb === 'readImages') return { value: await readImages(request.path) }
    return { value: await readIcon(request.path, request.icon) }
  } catch (error) {
    if (!(error instanceof BinaryError)) throw error
    const { code, detail, app } = error
    return app ? { code, detail, app } : { code, detail }
  }
}

answerRequests(answer)
