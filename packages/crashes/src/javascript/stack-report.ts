/** Reads a stack of JavaScript as text, as engines print it. */
import { type JavaScriptFrame, looksLikeJavaScript, parseJavaScriptStack } from '@fairlead/symbols'
import { emptyFrame, noDetails, type ReadCrash, type ReportedFrame, unknownOrigin } from '../crash.ts'
import { maxFrames, maxNameLength } from '../limits.ts'

/** undefined for text that is no stack of JavaScript. */
export function readJavaScriptText(text: string, digest: string): ReadCrash | undefined {
  if (!looksLikeJavaScript(text)) return undefined
  const { type, message, frames } = parseJavaScriptStack(text)
  return {
    // Apps run JavaScriptCore on Apple's systems, and V8 or Hermes elsewhere.
    source: frames[0]?.style === 'jsc' ? 'apple' : 'android',
    sourceId: digest,
    kind: 'crash',
    isFatal: true,
    ...unknownOrigin,
    exceptions: type === null ? [] : [{ type, message }],
    frames: frames.slice(0, maxFrames).map(toFrame),
    images: [],
    mappingIds: [],
    fingerprint: null,
    breadcrumbs: [],
    ...noDetails,
    platform: 'javascript',
  }
}

function toFrame({ function: name, file, bundleName, line, column }: JavaScriptFrame): ReportedFrame {
  return {
    ...emptyFrame,
    function: name,
    file: file?.slice(0, maxNameLength).split(/[?#]/, 1)[0] ?? null,
    line,
    column,
    module: bundleName,
    isJavaScript: true,
  }
}
