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

/** The bundle that a frame lies in; undefined for frames that no source map can say anything of. */
export function toSourceMapKey({ isJavaScript, module, imageUuid, line, column }: ScriptFrame): string | undefined {
  if (isJavaScript !== true || module === null || line === null || column === undefined) return undefined
  return imageUuid ?? `bundle:${module}`
}
