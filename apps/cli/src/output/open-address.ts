import type { Io } from '../io.ts'
import { toShownLine } from './shown-text.ts'
import { writeLine, writeResult } from './write.ts'

/** Opens an address in a browser, unless it is only to be printed or nobody sits at a terminal. */
export async function openAddress(io: Io, flags: { print: boolean; json: boolean }, url: string): Promise<void> {
  const isPrinted = flags.print || flags.json || io.stdout.isTTY !== true
  if (!isPrinted) {
    const { default: openInBrowser } = await import('open')
    await openInBrowser(url)
  }
  writeResult(io, flags.json, { url }, () => writeLine(io, toShownLine(url)))
}
