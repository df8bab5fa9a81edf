import { createPieceDecoder, type PieceDecoder } from '@fairlead/binary/piece-decoder'
import { ReportsError } from '../reports-error.ts'

/** Chooses a decoder by the first bytes of a report, at least 4 if it has that many. `decode` gets them again. */
export function createReportDecoder(start: Buffer): PieceDecoder {
  const decoder = createPieceDecoder(start)
  if (decoder) return decoder
  throw new ReportsError('malformed', 'UTF-32 is not supported; write the report in UTF-8.', { line: 1 })
}
