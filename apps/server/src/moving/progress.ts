/** Reports the progress of a long command, with at most one line every half second. */
export interface Progress {
  /** @param total Null if it is not known before the end. */
  begin(what: string, total: number | null): void
  advance(count: number, bytes: number): void
  end(): void
}

const intervalMs = 500

export function createProgress(write: (line: string) => void): Progress {
  let current: { what: string; total: number | null; done: number; bytes: number } = {
    what: '',
    total: null,
    done: 0,
    bytes: 0,
  }
  let lastAt = 0
  const tell = () => {
    const { what, total, done, bytes } = current
    const size = bytes > 0 ? `, ${(bytes / 2 ** 20).toFixed(1)} MiB` : ''
    const of = total === null ? '' : ` of ${total}`
    if (what !== '') write(`${what}: ${done}${of}${size}`)
  }
  return {
    begin(what, total) {
      if (current.what !== '') tell()
      current = { what, total, done: 0, bytes: 0 }
      lastAt = Date.now()
    },
    advance(count, bytes) {
      current.done += count
      current.bytes += bytes
      if (Date.now() - lastAt < intervalMs) return
      lastAt = Date.now()
      tell()
    },
    end: tell,
  }
}
