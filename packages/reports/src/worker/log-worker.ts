/** Main module of a log reader's process. */
import { readFile } from 'node:fs/promises'
import { answerRequests } from '@fairlead/workers'
import { readLog } from '../log/read-log.ts'
import type { LogAnswer, LogRequest } from './messages.ts'

async function answer({ source, year }: LogRequest): Promise<LogAnswer> {
  const text = 'text' in source ? source.text : await readFile(source.path, 'utf8')
  return { log: readLog(text, year) }
}

answerRequests(answer)
