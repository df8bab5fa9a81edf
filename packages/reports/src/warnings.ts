import type { Warning, WarningCode } from './report.ts'

/** Adds a warning about the file that is being read. Lines count from 1. */
export type Warn = (code: WarningCode, line: number | null, detail: string) => void

const maxWarnings = 1_000
const maxDetail = 500

/** Collects the warnings of an upload: the first of each code and file. */
export class Warnings {
  readonly list: Warning[] = []
  readonly #seen = new Set<string>()

  add(code: WarningCode, source: string, line: number | null, detail: string): void {
    const key = `${code}\0${source}`
    if (this.#seen.has(key) || this.list.length >= maxWarnings) return
    this.#seen.add(key)
    this.list.push({ code, file: source === '' ? null : source, line, detail: detail.slice(0, maxDetail) })
  }
}
