/** Main module of a picture cleaner's process. */
import { readFile, writeFile } from 'node:fs/promises'
import { answerRequests } from '@fairlead/workers'
import { cleanPicture } from './clean-picture.ts'
import type { PictureAnswer, PictureRequest } from './picture-cleaner.ts'
import { type CleanPicture, PictureError } from './picture.ts'

answerRequests(async ({ from, to }: PictureRequest): Promise<PictureAnswer> => {
  const picture = read(await readFile(from))
  if ('fault' in picture) return picture
  const { pieces, ...facts } = picture
  await writeFile(to, Buffer.concat(pieces), { flag: 'wx' })
  return facts
})

function read(bytes: Buffer): CleanPicture | { fault: string } {
  try {
    return cleanPicture(bytes)
  } catch (error) {
    if (error instanceof PictureError) return { fault: error.message }
    throw error
  }
}
