/** Reads a stack of JavaScript as text, as engines print it. */
import {
  type JavaScriptFrame,
  type JavaScriptStack,
  looksLikeJavaScript,
  parseJavaScriptStack,
} from '@fairlead/symbols'
import { findProcess } from '../android/find-process.ts'
import {
  type CrashException,
  emptyFrame,
  noDetails,
  type ReadCrash,
  type ReportedFrame,
  unknownOrigin,
} from '../crash.ts'
import { maxFrames, maxNameLength } from '../limits.ts'

/** undefined for text that is no stack of JavaScript. */
export function readJavaScriptText(text: string, digest: string): ReadCrash | undefined {
  if (!looksLikeJavaScript(text)) return undefined
  const stack = parseJavaScriptStack(text)
  const isAndroid = stack.isReactNative
  return {
    // Apps run JavaScriptCore on Apple's systems, and V8 or Hermes elsewhere.
    source: stack.frames[0]?.style === 'jsc' && !isAndroid ? 'apple' : 'android',
    sourceId: digest,
    kind: 'crash',
    isFatal: true,
    ...unknownOrigin,
    ...(isAndroid && { package: findProcess(text), osName: 'Android' }),
    ...toTrace(stack),
    images: [],
    mappingIds: [],
    fingerprint: null,
    breadcrumbs: [],
    ...noDetails,
    platform: 'javascript',
  }
}

/**
 * The error of JavaScript in a trace of Java, with which React Native ends an app on Android; undefined for any other
 * text.
 */
export function readReactNativeTrace(
  text: string,
): { exceptions: CrashException[]; frames: ReportedFrame[] } | undefined {
  if (!looksLikeJavaScript(text)) return undefined
  const stack = parseJavaScriptStack(text)
  return stack.isReactNative ? toTrace(stack) : undefined
}

function toTrace({ type, message, frames, isReactNative }: JavaScriptStack) {
  // React Native leaves out the name of its only bundle, which is this one unless a project changes it.
  const defaultBundle = isReactNative ? 'index.android.bundle' : null
  return {
    exceptions: type === null ? [] : [{ type, message }],
    frames: frames.slice(0, maxFrames).map((frame) => toFrame(frame, defaultBundle)),
  }
}

function toFrame(
  { function: name, file, bundleName, line, column }: JavaScriptFrame,
  defaultBundle: string | null,
): ReportedFrame {
  return {
    ...emptyFrame,
    function: name,
    file: file?.slice(0, maxNameLength).split(/[?#]/, 1)[0] ?? null,
    line,
    column,
    module: bundleName ?? (file === null && line !== null ? defaultBundle : null),
    isJavaScript: true,
  }
}
