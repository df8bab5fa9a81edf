/** Main module of an app reader's process. */
import { answerRequests } from '@fairlead/workers'
import { BinaryError } from '../binary-error.ts'
import { readApp } from '../read-app.ts'
import { readAppFile } from '../read-app-file.ts'
import type { PlainAppFile, PlainError, ReaderAnswer, ReaderRequest } from './messages.ts'

async function answer(request: ReaderRequest): Promise<ReaderAnswer> {
  try {
    return { file: await read(request) }
  } catch (error) {
    if (!(error instanceof BinaryError)) throw error
    return { error: toPlainError(error) }
  }
}

async function read({ path, options, isWhole }: ReaderRequest): Promise<PlainAppFile> {
  if (!isWhole) return { app: await readApp(path, options), icon: null, images: [], ownPackages: [], errors: [] }
  const file = await readAppFile(path, options)
  return { ...file, errors: file.errors.map(toPlainError) }
}

function toPlainError({ code, detail, app }: BinaryError): PlainError {
  return app ? { code, detail, app } : { code, detail }
}

answerRequests(answer)
