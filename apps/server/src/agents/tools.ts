import { compareBuildsTool } from './compare-builds.ts'
import { explainCrashTool } from './explain-crash.ts'
import { explainTestFailureTool } from './explain-test-failure.ts'
import { getBuildTool } from './get-build.ts'
import { getCrashTool } from './get-crash.ts'
import { getTestRunTool } from './get-test-run.ts'
import { listApplicationsTool } from './list-applications.ts'
import { listBuildsTool } from './list-builds.ts'
import { listCrashesTool } from './list-crashes.ts'
import { listTestsTool } from './list-tests.ts'
import { readTextTool } from './read-text.ts'
import { symbolicateTool } from './symbolicate.ts'
import { quarantineTestTool } from './quarantine-test.ts'
import { setCrashStatusTool } from './set-crash-status.ts'
import { setReleaseNotesTool } from './set-release-notes.ts'
import type { Tool } from './tool.ts'

/** The tools that read, in the order in which agents see them. */
export const readingTools: readonly Tool[] = [
  listApplicationsTool,
  listBuildsTool,
  getBuildTool,
  compareBuildsTool,
  listCrashesTool,
  explainCrashTool,
  getCrashTool,
  listTestsTool,
  getTestRunTool,
  explainTestFailureTool,
  symbolicateTool,
  readTextTool,
]

/** The tools that write, which an administrator of the workspace turns on. */
const writingTools: readonly Tool[] = [setCrashStatusTool, quarantineTestTool, setReleaseNotesTool]

export const allTools: readonly Tool[] = [...readingTools, ...writingTools]
