import type { Verdict } from '@fairlead/contract'
import { Badge } from '@mantine/core'

const words: Record<Verdict['result'], [text: string, color: string]> = {
  pass: ['Passed', 'green'],
  fail: ['Failed', 'red'],
  pending: ['Running', 'gray'],
  noTests: ['No tests', 'orange'],
}

export function VerdictBadge({ result }: { result: Verdict['result'] }) {
  const [text, color] = words[result]
  return <Badge color={color}>{text}</Badge>
}
