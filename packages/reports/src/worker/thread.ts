/** The thread of a report reader, which answers requests until it is terminated. */
import { parentPort } from 'node:worker_threads'
import { readReports } from '../read-reports.ts'
import { ReportsError } from '../reports-error.ts'
import type { ReaderAnswer, ReaderRequest } from './messages.ts'

function send(answer: ReaderAnswer): void {
  parentPort?.postMessage(answer, [])
}

async function answer({ path, folder, options }: ReaderRequest): Promise<ReaderAnswer> {
  try {
    return { summary: await readReports(path, folder, { ...options, onChild: (child) => send({ child }) }) }
  } catch (error) {
    if (!(error instanceof ReportsError)) throw error
    const { code, detail, source, line } = error
    return { code, detail, source, line }
  }
}

parentPort?.on('message', (request: ReaderRequest) => {
  void answer(request).then(send)
})
