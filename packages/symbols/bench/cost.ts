/** Measures what a command costs, by GNU time. */
import { execFileSync, spawnSync } from 'node:child_process'
import { openSync } from 'node:fs'
import { join } from 'node:path'
import { outOfRange } from '@fairlead/invariant'

export interface Cost {
  seconds: number
  cpuSeconds: number
  megabytes: number
}

/** Runs a command, whose standard input may be a file. `folder` keeps the compile cache of Node. */
export function measureCommand(folder: string, command: string[], input?: string): Cost {
  const stdin = input === undefined ? 'ignore' : openSync(input, 'r')
  const args = ['-f', '%e %U %S %M', '-o', join(folder, 'time.txt'), ...command]
  // Modules are compiled before, as after an installation, because the other tools are compiled, too. The median leaves
  // out the run that compiles them.
  const env = { ...process.env, NODE_COMPILE_CACHE: join(folder, 'compile-cache') }
  const result = spawnSync('/usr/bin/time', args, { stdio: [stdin, 'ignore', 'ignore'], env })
  if (result.status !== 0) throw new Error(`${command.join(' ')} ended with ${result.status}`)
  const [seconds = 0, user = 0, system = 0, kilobytes = 0] = execFileSync('cat', [join(folder, 'time.txt')], {
    encoding: 'utf8',
  })
    .trim()
    .split(' ')
    .map(Number)
  return { seconds, cpuSeconds: user + system, megabytes: kilobytes / 1024 }
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? outOfRange()
}

export function medianCost(costs: readonly Cost[]): Cost {
  const of = (key: keyof Cost) => median(costs.map((cost) => cost[key]))
  return { seconds: of('seconds'), cpuSeconds: of('cpuSeconds'), megabytes: of('megabytes') }
}
