import type { MissingSymbols } from '@fairlead/contract'
import { Text } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { formatCount } from '../ui/format.ts'
import { AnchorLink } from '../ui/links.tsx'
import { List, ListRow } from '../ui/ListRow.tsx'
import { Panel } from '../ui/Panel.tsx'
import { missingSymbolsQuery } from './queries.ts'
import { toReleaseText } from './release-text.ts'

/** The panel shows this many symbols: those that most crashes wait for. */
const maxShown = 50

export function MissingSymbolsPanel({ applicationId }: { applicationId: number }) {
  const { data: missing } = useSuspenseQuery(missingSymbolsQuery(applicationId))
  const toSymbols = (
    <AnchorLink to="/applications/$applicationId/symbols" params={{ applicationId }} size="sm">
      Upload symbols
    </AnchorLink>
  )
  return (
    <Panel title="Missing symbols" actions={missing.length > 0 && toSymbols}>
      {missing.length === 0 ? (
        <Text size="sm" c="dimmed">
          No crash waits for symbols.
        </Text>
      ) : (
        <>
          <Text size="sm" mb="xs">
            When they are uploaded, the crashes are read again and get their source lines.
          </Text>
          <List label="Missing symbols">
            {missing.slice(0, maxShown).map((one) => (
              <ListRow
                key={`${one.kind} ${one.uuid} ${toReleaseText(one)}`}
                title={<span className="break">{toSymbolsText(one)}</span>}
                sub={
                  <span className="break">
                    {formatCount(one.crashCount, 'crash', 'crashes')} of {formatCount(one.stackCount, 'stack')}
                    {one.uuid !== null && ` · ${one.uuid}`}
                  </span>
                }
              />
            ))}
          </List>
          {missing.length > maxShown && (
            <Text size="sm" c="dimmed">
              {formatCount(missing.length - maxShown, 'more file')} with fewer crashes
            </Text>
          )}
        </>
      )}
    </Panel>
  )
}

const kindNames: Record<MissingSymbols['kind'], string> = {
  proguard: 'The mapping',
  dsym: 'The dSYM',
  elf: 'The ELF file',
  sourcemap: 'The source map',
  dartmap: 'The obfuscation map',
}

export function toSymbolsText(missing: MissingSymbols): string {
  const what =
    missing.kind === 'proguard' ? 'The mapping' : `${kindNames[missing.kind]} of ${missing.name ?? 'an image'}`
  return `${what}, seen in ${toReleaseText(missing)}`
}
