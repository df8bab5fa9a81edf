/** Main module of a report reader's process. */
import { answerRequests } from '@fairlead/workers'
import { readReports } from '../read-reports.ts'
import { ReportsError } from '../reports-error.ts'
import type { ReaderAnswer, ReaderRequest } from './messages.ts'

async function answer({ path, folder, options }: ReaderRequest): Promise<ReaderAnswer> {
  try {
    return { summary: await readReports(path, folder, options) }
  } catch (error) {
    if (!(error instanceof ReportsError)) throw error
    const { code, detail, source, line } = error
    return { code, detail, source, line }
  }
}

answerRequests(answer)
