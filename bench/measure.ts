/** Shared by all benchmarks: alternating rounds, medians and a Markdown table. */

export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

/**
 * Runs every contestant once per round, in turn, so that disturbances of the machine affect all alike. Returns one
 * value of each: the median, or what `choose` returns for all.
 */
export async function takeTurns<Name extends string>(
  rounds: number,
  contestants: Record<Name, () => Promise<number>>,
  choose: (values: number[]) => number = median,
): Promise<Record<Name, number>> {
  const entries = Object.entries<() => Promise<number>>(contestants)
  const values = entries.map((): number[] => [])
  for (let round = 0; round < rounds; round++) {
    for (const [index, [, run]] of entries.entries()) values[index]?.push(await run())
  }
  const chosen = entries.map(([name], index) => [name, choose(values[index] ?? [])])
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the entries have the names of the contestants
  return Object.fromEntries(chosen) as Record<Name, number>
}

export function printTable(header: string[], rows: (string | number)[][]): void {
  printRow(header)
  printRow(header.map(() => '---'))
  for (const row of rows) printRow(row)
}

/** Prints a row at once, so that a long run shows what it has measured so far. */
export function printRow(cells: (string | number)[]): void {
  console.log(`| ${cells.join(' | ')} |`)
}
