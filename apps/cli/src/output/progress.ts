import type { UploadProgress } from '@fairlead/client'
import type { Io } from '../io.ts'
import { formatBytes, formatSeconds } from './units.ts'
import { writeNote } from './write.ts'

/** How far a transfer has come, shown to people on standard error. */
export interface ProgressDisplay {
  update: (progress: UploadProgress) => void
  /** Takes the bar away; a line in its place says what was done. */
  stop: () => void
}

/** In a pipe, one line for each of this many parts of the whole. */
const linesInPipe = 4

/** A bar with speed and time left in a terminal, some plain lines elsewhere. */
export async function openProgress(io: Io, verb: string): Promise<ProgressDisplay> {
  return io.stderr.isTTY === true ? await openBar(io, verb) : openLines(io, verb)
}

async function openBar(io: Io, verb: string): Promise<ProgressDisplay> {
  const { SingleBar } = await import('cli-progress')
  const started = performance.now()
  const bar = new SingleBar({
    stream: io.stderr,
    format: `${verb} {bar} {percentage}%  {amount}  {speed}/s  {left}`,
    barCompleteChar: '█',
    barIncompleteChar: '░',
    barsize: 30,
    fps: 10,
    hideCursor: true,
    clearOnComplete: true,
    gracefulExit: false,
  })
  let isStarted = false
  return {
    update({ sent, total }) {
      const speed = sent / Math.max(0.001, (performance.now() - started) / 1000)
      const payload = {
        amount: `${formatBytes(sent)} of ${formatBytes(total)}`,
        speed: formatBytes(speed),
        left: sent === total ? 'the server reads it' : `${formatSeconds((total - sent) / speed)} left`,
      }
      if (isStarted) bar.update(sent, payload)
      else bar.start(total, sent, payload)
      isStarted = true
    },
    stop: () => bar.stop(),
  }
}

function openLines(io: Io, verb: string): ProgressDisplay {
  let written = 0
  return {
    update({ sent, total }) {
      const part = total === 0 ? linesInPipe : Math.floor((sent / total) * linesInPipe)
      // Another attempt begins anew.
      if (part < written) written = part
      if (part <= written) return
      written = part
      writeNote(io, `${verb} ${Math.round((sent / total) * 100)}% of ${formatBytes(total)}`)
    },
    stop: () => {},
  }
}
