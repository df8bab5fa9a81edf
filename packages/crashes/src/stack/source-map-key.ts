/** The part of a frame that tells its bundle. */
interface ScriptFrame {
  isJavaScript?: true
  /** The name of the bundle. */
  module: string | null
  /** Its debug id. */
  imageUuid: string | null
  line: number | null
  column?: number
}

/** The bundle whose source map can say something of a frame; undefined for frames without a place. */
export function toSourceMapKey(frame: ScriptFrame): string | undefined {
  return frame.line === null || frame.column === undefined ? undefined : toBundleKey(frame)
}

/** The bundle that a frame lies in; undefined for frames of the engine and of other languages. */
export function toBundleKey({ isJavaScript, module, imageUuid }: ScriptFrame): string | undefined {
  return isJavaScript !== true || module === null ? undefined : (imageUuid ?? `bundle:${module}`)
}
