/** Reads the frames of JavaScript in Sentry's events. */
import { toBundleName } from '@fairlead/symbols'
import { type CrashImage, emptyFrame, type ReportedFrame } from '../crash.ts'
import { type JsonObject, toInteger, toObjects, toText } from '../json/json-value.ts'
import { maxImages } from '../limits.ts'
import { toUuid } from '../uuid.ts'

/** The debug ids of bundles, by address without query and fragment. */
export type BundleIds = ReadonlyMap<string, string>

export function isJavaScript(frame: JsonObject, event: JsonObject): boolean {
  const platform = frame['platform'] ?? event['platform']
  return platform === 'javascript' || platform === 'node'
}

/** Lists the bundles of `debug_meta.images` that have a debug id. */
export function readBundleIds(images: unknown): { ids: BundleIds; images: CrashImage[] } {
  const ids = new Map<string, string>()
  const found: CrashImage[] = []
  for (const image of toObjects(images)) {
    const uuid = image['type'] === 'sourcemap' ? toUuid(image['debug_id']) : null
    const path = toText(image['code_file'])
    if (uuid === null || path === null || found.length >= maxImages) continue
    ids.set(toPlainAddress(path), uuid)
    found.push({ name: toBundleName(path) ?? '???', uuid, architecture: null, isApp: null })
  }
  return { ids, images: found }
}

/** SDKs of React Native correct the columns of Hermes themselves, so that columns always count from 1. */
export function toJavaScriptFrame(frame: JsonObject, ids: BundleIds): ReportedFrame {
  const paths = [toText(frame['abs_path']), toText(frame['filename'])].filter((path) => path !== null)
  const plain = paths.map(toPlainAddress)
  const debugId = plain.map((path) => ids.get(path)).find((id) => id !== undefined)
  const file = plain.at(-1) ?? null
  return {
    ...emptyFrame,
    function: toText(frame['function']),
    file,
    line: toInteger(frame['lineno']),
    column: toInteger(frame['colno']),
    imageUuid: debugId ?? null,
    module: plain[0] === undefined || isOfEngine(plain[0]) ? null : toBundleName(plain[0]),
    inApp: typeof frame['in_app'] === 'boolean' ? frame['in_app'] : null,
    isJavaScript: true,
  }
}

function toPlainAddress(path: string): string {
  return path.split(/[?#]/, 1)[0] ?? path
}

function isOfEngine(path: string): boolean {
  return /^(?:node:|native\b|<anonymous>|\[native code\]|app:\/\/\/?\[native code\])/.test(path)
}
