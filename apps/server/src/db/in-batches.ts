/** Values per statement, safely below the parameter limits of both databases. */
const batchSize = 1000

/** Runs a query with a long list of values in batches and concatenates the rows. */
export async function selectInBatches<Value, Row>(
  values: Value[],
  select: (batch: Value[]) => Promise<Row[]>,
): Promise<Row[]> {
  const rows: Row[] = []
  for (let start = 0; start < values.length; start += batchSize) {
    for (const row of await select(values.slice(start, start + batchSize))) rows.push(row)
  }
  return rows
}
