/**
 * Reads one report in this thread and prints CPU in milliseconds, the peak of memory in MB, and the cases. It loads the
 * module that a process of `createReportReader` loads.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readReports } from '../src/read-reports.ts'

const folder = mkdtempSync(join(tmpdir(), 'fairlead-bench-'))
const { counts } = await readReports(process.argv[2] ?? '', folder)
rmSync(folder, { recursive: true })
const { user, system } = process.cpuUsage()
const memoryMb = process.resourceUsage().maxRSS / 1024
console.log(JSON.stringify({ cpuMs: (user + system) / 1000, memoryMb, cases: counts.cases, failed: counts.failed }))
