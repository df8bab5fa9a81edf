import { CliError } from '../cli-error.ts'
import type { Io } from '../io.ts'

/** Asks before data is deleted. Without a terminal, `--yes` is required. */
export async function confirmLoss(io: Io, isSure: boolean, question: string): Promise<void> {
  if (isSure) return
  if (io.stdin.isTTY !== true) {
    throw new CliError('usage', 'There is no terminal to ask in', { fix: 'Say --yes if it is meant.' })
  }
  const { confirm } = await import('@clack/prompts')
  const message = question
  const answer = await confirm({ message, initialValue: false, input: io.stdin, output: io.stderr, signal: io.signal })
  if (answer !== true) throw new CliError('interrupted', 'Nothing was deleted')
}
