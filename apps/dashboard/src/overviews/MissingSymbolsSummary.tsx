import type { MissingSymbols } from '@fairlead/contract'
import { Alert, Text } from '@mantine/core'
import { toSymbolsText } from '../crashes/MissingSymbolsPanel.tsx'
import { formatCount } from '../ui/format.ts'
import { AnchorLink } from '../ui/links.tsx'

interface MissingSymbolsSummaryProps {
  applicationId: number
  missing: readonly MissingSymbols[]
}

/** Says which symbols most crashes wait for. */
export function MissingSymbolsSummary({ applicationId, missing }: MissingSymbolsSummaryProps) {
  return (
    <Alert color="orange" title="Symbols are missing" role="note">
      {missing.map((one) => (
        <Text key={`${one.kind} ${one.uuid} ${one.version}`} size="sm" className="break">
          {toSymbolsText(one)}: {formatCount(one.crashCount, 'crash', 'crashes')}
        </Text>
      ))}
      <AnchorLink to="/applications/$applicationId/crash-set-up" params={{ applicationId }} size="sm" td="underline">
        What is missing, and how to upload it
      </AnchorLink>
    </Alert>
  )
}
