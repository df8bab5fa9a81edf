/** One run of a test case, as the tables of a result bundle's database describe it together. */
export interface CaseRun {
  id: number
  case: number | null
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
