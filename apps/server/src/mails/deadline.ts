/** How long one mail may take in all: a server that trickles its answers looks alive to every other timer. */
const sendLimit = 60_000
/** What is under way at a shutdown may still end in this time; what does not is sent again later. */
const shutdownLimit = 5000

export interface Deadline extends Disposable {
  signal: AbortSignal
}

export function createDeadline(stopping: AbortSignal): Deadline {
  const controller = new AbortController()
  const abort = () => controller.abort()
  const timers = [setTimeout(abort, sendLimit)]
  const hurry = () => timers.push(setTimeout(abort, shutdownLimit))
  stopping.addEventListener('abort', hurry, { once: true })
  return {
    signal: controller.signal,
    [Symbol.dispose]() {
      stopping.removeEventListener('abort', hurry)
      for (const timer of timers) clearTimeout(timer)
    },
  }
}
