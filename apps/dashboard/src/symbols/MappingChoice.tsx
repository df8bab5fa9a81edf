import type { SymbolsFile } from '@fairlead/contract'
import { NativeSelect } from '@mantine/core'

interface MappingChoiceProps {
  files: SymbolsFile[]
  value: number | undefined
  onChange: (id: number | undefined) => void
}

/** Chooses the mapping for a trace that does not name one. */
export function MappingChoice({ files, value, onChange }: MappingChoiceProps) {
  if (files.length < 2) return null
  return (
    <NativeSelect
      aria-label="Mapping"
      value={value === undefined ? '' : String(value)}
      onChange={({ currentTarget }) => onChange(currentTarget.value === '' ? undefined : Number(currentTarget.value))}
      data={[
        { value: '', label: 'Automatic: named in the trace, else the newest' },
        ...files.map(({ id, shortVersion, version }) => ({
          value: String(id),
          label: `Mapping of ${shortVersion} (${version})`,
        })),
      ]}
    />
  )
}
