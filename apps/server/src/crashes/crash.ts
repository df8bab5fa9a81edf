import type { Crash, CrashFrame, CrashSummary } from '@fairlead/contract'
import { type KeptReport, type ResolvedStack, type StackContent, unpackJson } from '@fairlead/crashes'
import { toInstant } from '../http/instant.ts'
import type { CrashRecord } from './crash-store.ts'

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
    frames: stack.frames.map((frame) => toFrame(frame, content, report)),
    images: report?.images.map(({ name, uuid, architecture }) => ({ name, uuid, architecture })) ?? listImages(content),
    missingSymbols,
    breadcrumbs: (report?.breadcrumbs ?? []).map(({ occurredAt, category, message }) => {
      return { date: occurredAt === null ? null : toInstant(occurredAt), category, message }
    }),
    buildId,
  }
}

function toFrame(
  { reported: place, ...frame }: ResolvedStack['frames'][number],
  content: StackContent,
  report: KeptReport | undefined,
): CrashFrame {
  const frameOf = place === null ? undefined : content.frames[place]
  const address = (place === null ? null : report?.addresses[place]) ?? null
  return {
    ...frame,
    address,
    reported: frameOf
      ? {
          className: frameOf.className,
          methodName: frameOf.methodName,
          function: frameOf.function,
          line: frameOf.line,
          imageUuid: frameOf.imageUuid,
          imageOffset: frameOf.imageOffset === null ? null : `0x${frameOf.imageOffset.toString(16)}`,
          address,
          module: frameOf.module,
        }
      : null,
  }
}

function listImages({ frames }: StackContent): Crash['images'] {
  const images = new Map<string, Crash['images'][number]>()
  for (const { imageUuid: uuid, module, architecture } of frames) {
    if (uuid !== null) images.set(uuid, { name: module ?? '???', uuid, architecture })
  }
  return [...images.values()]
}
