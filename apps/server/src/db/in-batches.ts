/** A statement with more values than this comes near the limits of the databases. */
const batchSize = 1000

/** The rows of a query that names many values, which is asked for some of them at a time. */
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
