import { Counter, Histogram, type Registry } from 'prom-client'

export type Outcome = 'ok' | 'refused' | 'rateLimited' | 'failed'

export interface CallMetrics {
  count(call: { tool: string; outcome: Outcome; seconds: number; characters: number }): void
}

/** Counts, times and weighs the calls of tools. Tools are those of the code, so the number of series is limited. */
export function createCallMetrics(registry: Registry): CallMetrics {
  const registers = [registry]
  const calls = new Counter({
    name: 'fairlead_agent_calls_total',
    help: 'Calls of tools by coding agents',
    labelNames: ['tool', 'outcome'] as const,
    registers,
  })
  const seconds = new Histogram({
    name: 'fairlead_agent_call_duration_seconds',
    help: 'From the arguments of a call to its answer',
    labelNames: ['tool'] as const,
    buckets: [0.005, 0.025, 0.1, 0.5, 2.5, 10, 60],
    registers,
  })
  const characters = new Histogram({
    name: 'fairlead_agent_answer_characters',
    help: 'Characters of answers; four are about one token',
    labelNames: ['tool'] as const,
    buckets: [1000, 4000, 12_000, 40_000, 100_000],
    registers,
  })
  return {
    count({ tool, outcome, ...call }) {
      calls.inc({ tool, outcome })
      seconds.observe({ tool }, call.seconds)
      characters.observe({ tool }, call.characters)
    },
  }
}
