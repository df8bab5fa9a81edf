/**
 * This module is loaded into the process of each test file. When the tests take far too long, it prints which resources
 * keep the process alive. Its own timer does not. At the end it saves the processor time to the file that
 * `FAIRLEAD_TEST_CPU_FILE` names.
 */
import { readFileSync, writeFileSync } from 'node:fs'

const reportAfterMs = 1_440_000
/** The unit of the times in `/proc`, which is the same on all common systems. */
const ticksPerSecond = 100

setTimeout(() => {
  console.error(`${process.argv[1]} is still running; alive: ${process.getActiveResourcesInfo().join(', ')}`)
}, reportAfterMs).unref()

const { FAIRLEAD_TEST_CPU_FILE: cpuFile } = process.env
// Processes that the tests start load their own modules, and must not write the file as well.
delete process.env['FAIRLEAD_TEST_CPU_FILE']
if (cpuFile !== undefined) process.on('exit', () => writeFileSync(cpuFile, String(readCpuSeconds())))

/** Returns the processor time of this process and, on Linux, of the processes that it started and that have ended. */
function readCpuSeconds(): number {
  if (process.platform !== 'linux') return process.cpuUsage().user / 1e6 + process.cpuUsage().system / 1e6
  // The second field is the name of the program in brackets; the times are fields 14 to 17 of proc_pid_stat(5).
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1)?.split(' ') ?? []
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / ticksPerSecond
}
