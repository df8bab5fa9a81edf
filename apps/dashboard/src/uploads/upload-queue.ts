/** Creates a queue that runs at most `limit` tasks at the same time, in the order in which they were added. */
export function createQueue(limit: number): (task: () => Promise<void>) => void {
  const waiting: (() => Promise<void>)[] = []
  let running = 0
  const runNext = () => {
    if (running >= limit) return
    const task = waiting.shift()
    if (!task) return
    running++
    void task().finally(() => {
      running--
      runNext()
    })
  }
  return (task) => {
    waiting.push(task)
    runNext()
  }
}
