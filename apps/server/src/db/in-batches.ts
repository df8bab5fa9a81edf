/** How many values one statement has, safely below the parameter limits of both databases. */
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

/** Inserts rows in batches, each of a few columns. */
export async function insertInBatches<Row>(rows: Row[], insert: (batch: Row[]) => Promise<unknown>): Promise<void> {
  for (let start = 0; start < rows.length; start += batchSize) await insert(rows.slice(start, start + batchSize))
}
