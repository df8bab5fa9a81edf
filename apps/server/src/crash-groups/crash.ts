import type { Crash, CrashFrame, CrashSummary } from '@fairlead/contract'
import { type KeptReport, type ResolvedStack, type StackContent, unpackJson } from '@fairlead/crashes'
import { parseJsonText } from '../db/json-text.ts'
import { toInstant, toInstantOrNull } from '../http/instant.ts'
import type { CrashRecord } from './crash-store.ts'
import { defaultEnvironment } from '../crash-releases/releases-store.ts'

export function toCrashSummary(row: CrashRecord): CrashSummary {
  return {
    id: row.id,
    applicationId: row.application_id,
    groupId: row.group_id,
    stackId: row.stack_id,
    source: row.source,
    sourceId: row.source_id,
    kind: row.kind,
    isFatal: row.is_fatal === 1,
    occurredDate: toInstant(row.occurred_at),
    receivedDate: toInstant(row.received_at),
    package: row.package || null,
    shortVersion: row.short_version || null,
    version: row.version || null,
    deviceModel: row.device_model,
    osName: row.os_name,
    osVersion: row.os_version,
    installId: row.install_id,
    platform: row.platform ?? platformOfSource(row.source),
    environment: row.environment ?? defaultEnvironment,
    tags: row.tags === null ? {} : parseJsonText(row.tags),
  }
}

export interface StoredCrash extends CrashRecord {
  content: Uint8Array
  resolved: Uint8Array
  report: Uint8Array | null
}

/**
 * The frames come from the stack; values that differ between crashes of one stack come from the report, if it is kept.
 */
export function toCrash(
  row: StoredCrash,
  { missingSymbols, buildId }: { missingSymbols: string[]; buildId: number | null },
): Crash {
  const content = unpackJson<StackContent>(row.content)
  const stack = unpackJson<ResolvedStack>(row.resolved)
  const report = row.report === null ? undefined : unpackJson<KeptReport>(row.report)
  return {
    ...toCrashSummary(row),
    exceptions: stack.exceptionTypes.map((type, place) => ({
      type,
      message: report?.exceptions[place]?.message ?? null,
    })),
    frameCount: content.frames.length,
    frames: toFrames(stack.frames, content, report),
    images: toImages(content, report),
    missingSymbols,
    breadcrumbs: (report?.breadcrumbs ?? []).map(toBreadcrumb),
    // Reports of former versions have neither contexts nor data of the app.
    contexts: { ...noContexts, ...report?.contexts, ...report?.customData },
    buildId,
  }
}

const noContexts = { device: {}, os: {}, app: {}, runtime: {} }

/** Breadcrumbs of reports that former versions have kept have no type, no level and no data. */
function toBreadcrumb(breadcrumb: KeptReport['breadcrumbs'][number]): Crash['breadcrumbs'][number] {
  const { occurredAt, category, message } = breadcrumb
  const since: { type?: string; level?: string | null; data?: Record<string, string> } = breadcrumb
  return {
    date: toInstantOrNull(occurredAt),
    type: since.type ?? 'default',
    category,
    level: since.level ?? null,
    message,
    data: since.data ?? {},
  }
}

/** Crashes that former versions have stored say no platform. */
function platformOfSource(source: CrashRecord['source']): CrashSummary['platform'] {
  if (source === 'android' || source === 'acra') return 'android'
  return source === 'apple' || source === 'metrickit' ? 'apple' : 'other'
}

/** A frame that was inlined has the address of the frame behind it, into which it was inlined. */
export function toFrames(
  frames: ResolvedStack['frames'],
  content: Pick<StackContent, 'frames'>,
  report: Pick<KeptReport, 'addresses'> | undefined,
): CrashFrame[] {
  let address: string | null = null
  return frames
    .map((frame) => toFrame(frame, content, report))
    .toReversed()
    .map((frame) => {
      if (frame.reported) address = frame.address
      return frame.reported ? frame : { ...frame, address }
    })
    .toReversed()
}

function toFrame(
  { reported: place, ...frame }: ResolvedStack['frames'][number],
  content: Pick<StackContent, 'frames'>,
  report: Pick<KeptReport, 'addresses'> | undefined,
): CrashFrame {
  const frameOf = place === null ? undefined : content.frames[place]
  const address = (place === null ? null : report?.addresses[place]) ?? null
  // A tombstone gives the address in the file and none in memory.
  const inFile = frameOf?.isFileAddress === true ? toHexadecimal(frameOf.imageOffset) : null
  return {
    ...frame,
    sourceLines: frame.sourceLines ?? null,
    address: address ?? inFile,
    reported: frameOf
      ? {
          className: frameOf.className,
          methodName: frameOf.methodName,
          function: frameOf.function,
          line: frameOf.line,
          column: frameOf.column ?? null,
          imageUuid: frameOf.imageUuid,
          imageOffset: toHexadecimal(frameOf.imageOffset),
          address,
          module: frameOf.module,
        }
      : null,
  }
}

function toHexadecimal(offset: number | null): string | null {
  return offset === null ? null : `0x${offset.toString(16)}`
}

/** Reports may list an image without its name, which the frames in it then know. */
function toImages(content: StackContent, report: KeptReport | undefined): Crash['images'] {
  const named = new Map(content.frames.map(({ imageUuid, module }) => [imageUuid, module]))
  return (
    report?.images.map(({ name, uuid, architecture }) => {
      return { name: name === '???' ? (named.get(uuid) ?? name) : name, uuid, architecture }
    }) ?? listImages(content)
  )
}

function listImages({ frames }: StackContent): Crash['images'] {
  const images = new Map<string, Crash['images'][number]>()
  for (const { imageUuid: uuid, module, architecture } of frames) {
    if (uuid !== null) images.set(uuid, { name: module ?? '???', uuid, architecture })
  }
  return [...images.values()]
}
