const windowMs = 3000

/** Measures bytes per second as an average over the last seconds, so that the number does not flicker. */
export function createSpeedometer(now: () => number = () => performance.now()): (bytes: number) => number {
  let samples = [{ at: now(), bytes: 0 }]
  return (bytes) => {
    const at = now()
    samples.push({ at, bytes })
    const firstFresh = samples.findIndex((sample) => sample.at >= at - windowMs)
    samples = samples.slice(Math.max(0, firstFresh - 1))
    const [oldest] = samples
    if (!oldest || at <= oldest.at) return 0
    return ((bytes - oldest.bytes) * 1000) / (at - oldest.at)
  }
}
