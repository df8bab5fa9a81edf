/** The aims of benches, which `npm run bench` lists in one table at its end. */
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { printTable } from './measure.ts'

export interface Aim {
  aim: string
  /** The measured values that the figure was made of, such as `437 and 392 µs`. */
  measured: string
  /** The number that is wanted to be no lower or no higher than the bound. */
  figure: number
  atLeast?: number
  atMost?: number
}

/** The file that collects the aims of all programs of a run, a JSON text in each line. */
const fileVariable = 'BENCH_AIMS'

/** Records what became of an aim. A program that is run by itself records nothing. */
export function recordAim(aim: Aim): void {
  const file = process.env[fileVariable]
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(aim)}\n`)
}

/** The variables of the environment with which a program records its aims in a file. */
export function recordingTo(file: string): Record<string, string> {
  return { [fileVariable]: file }
}

/** Prints the aims that programs have recorded, and which of them are met. */
export function printAims(file: string): void {
  if (!existsSync(file)) return
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only `recordAim` writes into this file
  const aims = lines.map((line) => JSON.parse(line) as Aim)
  const rows = aims.map((one) => [
    one.aim,
    one.measured,
    one.figure.toFixed(2),
    toBound(one),
    isMet(one) ? 'yes' : 'NO',
  ])
  console.log('\n# aims\n')
  printTable(['aim', 'measured', 'figure', 'wanted', 'met'], rows)
}

function toBound({ atLeast, atMost }: Aim): string {
  return atLeast === undefined ? `≤ ${atMost}` : `≥ ${atLeast}`
}

/** The figure is judged as it is shown, so that no row says that 1.20 is more than 1.2. */
function isMet({ figure, atLeast = -Infinity, atMost = Infinity }: Aim): boolean {
  const shown = Number(figure.toFixed(2))
  return shown >= atLeast && shown <= atMost
}
