import type { MissingSymbols } from '../symbolicated.ts'
import type { CrashReport } from './crash-report.ts'

/** The images that frames of a report lie in, each once. */
export function listFrameImages({ threads }: CrashReport): MissingSymbols[] {
  const images = new Set(threads.flatMap(({ frames }) => frames.map(({ image }) => image)))
  return [...images]
    .filter((image) => image !== undefined)
    .map(({ name, uuid, architecture }) => ({ name, uuid, architecture, codeId: null }))
}
