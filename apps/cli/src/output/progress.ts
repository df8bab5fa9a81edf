import type { UploadProgress } from '@fairlead/client'
import type { Io } from '../io.ts'
import { formatBytes, formatSeconds } from './units.ts'
import { writeNote } from './write.ts'

/** Shows the progress of a transfer on standard error. */
export interface ProgressDisplay {
  update: (progress: UploadProgress) => void
  /** Says that the transfer is whole. Until then, all bytes may have left and the attempt be cut all the same. */
  finish: () => void
  /** Removes the bar and prints a line with the result instead. */
  stop: () => void
}

/** The number of lines that a whole transfer prints into a pipe. */
const linesInPipe = 4

/** Shows a bar with speed and remaining time in a terminal, or plain lines in a pipe. */
export async function openProgress(io: Io, verb: string): Promise<ProgressDisplay> {
  return io.stderr.isTTY === true ? await openBar(io, verb) : openLines(io, verb)
}

async function openBar(io: Io, verb: string): Promise<ProgressDisplay> {
  const { SingleBar } = await import('cli-progress')
  const started = performance.now()
  const bar = new SingleBar({
    stream: io.stderr,
    format: `${verb} {bar} {percent}%  {amount}  {speed}/s  {left}`,
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
        percent: Math.min(99, Math.floor((sent / total) * 100)),
        amount: `${formatBytes(sent)} of ${formatBytes(total)}`,
        speed: formatBytes(speed),
        left: sent === total ? 'the server reads it' : `${formatSeconds((total - sent) / speed)} left`,
      }
      if (isStarted) bar.update(sent, payload)
      else bar.start(total, sent, payload)
      isStarted = true
    },
    finish: () => {},
    stop: () => bar.stop(),
  }
}

function openLines(io: Io, verb: string): ProgressDisplay {
  let written = 0
  let size = 0
  return {
    update({ sent, total }) {
      size = total
      const part = total === 0 ? 0 : Math.floor((sent / total) * linesInPipe)
      // Another attempt starts at zero.
      if (part < written) written = part
      // The last line is that of a whole transfer.
      if (part <= written || part === linesInPipe) return
      written = part
      writeNote(io, `${verb} ${Math.floor((sent / total) * 100)}% of ${formatBytes(total)}`)
    },
    finish() {
      // A server that has the build already takes no byte.
      if (size > 0) writeNote(io, `${verb} 100% of ${formatBytes(size)}`)
    },
    stop: () => {},
  }
}
