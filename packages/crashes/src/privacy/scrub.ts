import type { ReadCrash } from '../crash.ts'
import { maskMessage, maskPath, maskText } from './mask.ts'

/** A crash without personal data. It has no `installId`, which has to be hashed before. */
export type ScrubbedCrash = Omit<ReadCrash, 'installId'>

/** Masks every free text of a crash. Fields that `ReadCrash` does not have are never read. */
export function scrubCrash(crash: ReadCrash): ScrubbedCrash {
  const { installId: _installId, ...rest } = crash
  return {
    ...rest,
    deviceModel: maskOptional(crash.deviceModel),
    osName: maskOptional(crash.osName),
    exceptions: crash.exceptions.map(({ type, message }) => ({
      type: maskText(type),
      message: message === null ? null : maskMessage(message),
    })),
    frames: crash.frames.map((frame) => ({
      ...frame,
      className: maskOptional(frame.className),
      methodName: maskOptional(frame.methodName),
      function: maskOptional(frame.function),
      file: frame.file === null ? null : maskPath(frame.file),
      module: frame.module === null ? null : maskPath(frame.module),
    })),
    images: crash.images.map((image) => ({ ...image, name: maskPath(image.name) })),
    fingerprint: crash.fingerprint?.map(maskText) ?? null,
    breadcrumbs: crash.breadcrumbs.map(({ occurredAt, category, message }) => ({
      occurredAt,
      category: maskOptional(category),
      message: maskMessage(message),
    })),
  }
}

function maskOptional(text: string | null): string | null {
  return text === null ? null : maskText(text)
}
