import { getCrashTool } from './get-crash.ts'
import { getTestRunTool } from './get-test-run.ts'
import { listApplicationsTool } from './list-applications.ts'
import { listBuildsTool } from './list-builds.ts'
import { listCrashesTool } from './list-crashes.ts'
import { listTestsTool } from './list-tests.ts'
import { readTextTool } from './read-text.ts'
import { symbolicateTool } from './symbolicate.ts'
import type { Tool } from './tool.ts'

/** The tools that read, in the order in which agents see them. */
export const readingTools: readonly Tool[] = [
  listApplicationsTool,
  listBuildsTool,
  listCrashesTool,
  getCrashTool,
  listTestsTool,
  getTestRunTool,
  symbolicateTool,
  readTextTool,
]
