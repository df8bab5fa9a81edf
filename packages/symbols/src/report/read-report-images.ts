import { detectMapId } from '../android/trace/map-id.ts'
import type { MissingSymbols } from '../symbolicated.ts'
import { isAppleReport, parseReport } from './parse-report.ts'

/** What a report needs to be symbolicated. */
export interface ReportContents {
  kind: 'apple' | 'android'
  /** The images that frames lie in, each once; of an Android trace none. */
  images: MissingSymbols[]
  /** The mapping that an Android trace names; null where it names none. */
  mapId: string | null
}

/** Says which symbols a report needs, without any. Throws `malformed-report` or `too-large`. */
export function readReportImages(text: string): ReportContents {
  if (!isAppleReport(text)) return { kind: 'android', images: [], mapId: detectMapId(text) ?? null }
  const { threads } = parseReport(text)
  const images = new Set(threads.flatMap(({ frames }) => frames.map(({ image }) => image)))
  const listed = [...images]
    .filter((image) => image !== undefined)
    .map(({ name, uuid, architecture }) => ({ name, uuid, architecture }))
  return { kind: 'apple', images: listed, mapId: null }
}
