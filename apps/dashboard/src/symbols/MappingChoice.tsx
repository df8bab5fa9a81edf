import type { SymbolsFile } from '@fairlead/contract'
import { NativeSelect } from '@mantine/core'

interface MappingChoiceProps {
  files: SymbolsFile[]
  value: number | undefined
  onChange: (id: number | undefined) => void
}

function toLabel({ kind, shortVersion, version, images }: SymbolsFile): string {
  const ofVersion = shortVersion === null ? '' : ` of ${shortVersion} (${version})`
  return kind === 'proguard' ? `Mapping${ofVersion}` : `${images[0]?.name ?? 'Symbols'}${ofVersion}`
}

/** Chooses the symbols for a trace that does not name them. */
export function MappingChoice({ files, value, onChange }: MappingChoiceProps) {
  if (files.length < 2) return null
  return (
    <NativeSelect
      aria-label="Symbols for the trace"
      value={value === undefined ? '' : String(value)}
      onChange={({ currentTarget }) => onChange(currentTarget.value === '' ? undefined : Number(currentTarget.value))}
      data={[
        { value: '', label: 'Automatic: named in the trace, else the newest' },
        ...files.map((file) => ({ value: String(file.id), label: toLabel(file) })),
      ]}
    />
  )
}
