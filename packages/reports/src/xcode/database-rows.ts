/**
 * The output of the child process that reads the database of a result bundle: one JSON object a line, then `{"end":…}`.
 */

export interface CaseRunLine {
  kind: 'run'
  id: number
  case: number
  result: string
  seconds: number | null
  identifier: string | null
  name: string | null
  suiteIdentifier: string | null
  bundle: string | null
  planRun: number | null
  repetition: number | null
  skipReason: string | null
  parameters: string | null
  issues: { kind: string; message: string; file: string | null; line: number | null }[]
  attachments: { name: string; reference: string; contentType: string | null }[]
}

export type DatabaseLine = CaseRunLine | { kind: 'fault'; detail: string; isTooLarge: boolean } | { kind: 'end' }
