/**
 * Time limit for one mail in milliseconds. A server that trickles its replies would never trigger the other timeouts.
 */
const sendLimit = 60_000
/** Grace period for mails in progress at a shutdown; later ones are sent again after the restart. */
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
