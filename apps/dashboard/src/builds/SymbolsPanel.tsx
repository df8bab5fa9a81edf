import type { Build } from '@fairlead/contract'
import { Progress, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Panel } from '../ui/Panel.tsx'
import { MissingImages } from '../ui/MissingImages.tsx'
import { AnchorLink } from '../ui/links.tsx'
import { mappingQuery } from './queries.ts'

/** Shows whether the symbols of this build are uploaded, so that its crashes can be symbolicated. */
export function SymbolsPanel({ build }: { build: Build }) {
  const { symbols, applicationId, platform } = build
  const toSymbols = (
    <AnchorLink to="/applications/$applicationId/symbols" params={{ applicationId }} size="sm">
      Symbols of the application
    </AnchorLink>
  )
  if (!symbols) {
    return (
      <Panel title="Symbols">
        <Text size="sm" c="dimmed">
          {platform === 'android' ? <Mapping build={build} /> : 'The binary names no images to find symbols for.'}
        </Text>
        {toSymbols}
      </Panel>
    )
  }
  const { expected, present, missing } = symbols
  return (
    <Panel title="Symbols">
      <Stack gap="xs">
        <Text size="sm">
          {present === expected
            ? `Symbols for all ${expected} images are uploaded: crashes show source lines.`
            : `Symbols for ${present} of ${expected} images are uploaded.`}
        </Text>
        <Progress value={(present / expected) * 100} size="sm" aria-label="Images with symbols" />
        {missing.length > 0 && <MissingImages images={missing} />}
        {toSymbols}
      </Stack>
    </Panel>
  )
}

function Mapping({ build }: { build: Build }) {
  const { data: isUploaded } = useQuery(mappingQuery(build))
  if (isUploaded === undefined) return 'Crashes are read with the mapping of this version, if it is uploaded.'
  return isUploaded ? '✓ The mapping of this version is uploaded.' : '✗ No mapping of this version is uploaded.'
}
