import type { ReadCrash, ReportedFrame } from '../crash.ts'
import { isSecretName, maskMessage, maskPath, maskText } from './mask.ts'

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
    frames: crash.frames.map(scrubFrame),
    environment: maskOptional(crash.environment),
    tags: maskValues(crash.tags),
    contexts: mapValues(crash.contexts, maskValues),
    customData: mapValues(crash.customData, maskValues),
    threads: crash.threads.map(({ frames, name, ...thread }) => ({
      ...thread,
      name: maskOptional(name),
      // The frames of the crashed thread are often those of the exception, and masking is the costly part.
      frames: frames.map(scrubFrame),
    })),
    images: crash.images.map((image) => ({ ...image, name: maskPath(image.name) })),
    fingerprint: crash.fingerprint?.map(maskText) ?? null,
    breadcrumbs: crash.breadcrumbs.map(({ category, type, level, message, data, ...breadcrumb }) => ({
      ...breadcrumb,
      type: maskText(type),
      category: maskOptional(category),
      level: maskOptional(level),
      message: message === null ? null : maskMessage(message),
      data: maskValues(data),
    })),
  }
}

function scrubFrame(frame: ReportedFrame): ReportedFrame {
  return {
    ...frame,
    className: maskOptional(frame.className),
    methodName: maskOptional(frame.methodName),
    function: maskOptional(frame.function),
    file: frame.file === null ? null : maskPath(frame.file),
    module: frame.module === null ? null : maskPath(frame.module),
  }
}

/** A name beside a value may make it a secret, as in `token: 1234`. */
function maskValues(values: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const masked = maskText(value)
      return [maskText(name), isSecretName(name) ? '<secret>' : masked]
    }),
  )
}

function mapValues<Name extends string, Value>(
  values: Record<Name, Value>,
  toValue: (value: Value) => Value,
): Record<Name, Value> {
  const mapped = { ...values }
  for (const name in values) mapped[name] = toValue(values[name])
  return mapped
}

function maskOptional(text: string | null): string | null {
  return text === null ? null : maskText(text)
}
