import type { SymbolsFile, SymbolsKind } from '@fairlead/contract'
import { Badge, Button, Group, Spoiler } from '@mantine/core'
import { formatBytes, formatCount } from '../ui/format.ts'
import { ListRow } from '../ui/ListRow.tsx'
import { When } from '../ui/When.tsx'

const kindNames: Record<SymbolsKind, string> = {
  dsym: 'dSYM',
  proguard: 'Mapping',
  elf: 'ELF',
  sourcemap: 'Source map',
  dartmap: 'Obfuscation map',
}

interface SymbolsFileRowProps {
  file: SymbolsFile
  onRemove?: () => void
}

export function SymbolsFileRow({ file, onRemove }: SymbolsFileRowProps) {
  const { kind, shortVersion, version, bundleIdentifier, size, uploadedDate, images } = file
  const versions =
    shortVersion === null ? (bundleIdentifier ?? images[0]?.name ?? null) : `${shortVersion} (${version})`
  return (
    <ListRow
      title={
        <Group gap={8}>
          {versions ?? 'Symbols'}
          <Badge color="gray">{kindNames[kind]}</Badge>
        </Group>
      }
      sub={
        <>
          {formatBytes(size)}
          {images.length > 0 && ` · ${formatCount(images.length, 'image')}`}
          {images.length > 0 && (
            <Spoiler maxHeight={22} showLabel="Show all" hideLabel="Show less" fz="xs">
              {images.map(({ name, uuid, architecture, codeId }) => (
                <div key={`${uuid} ${architecture}`} className="break">
                  {name} {architecture} <code>{uuid}</code>
                  {codeId !== null && (
                    <>
                      {' '}
                      build id <code>{codeId}</code>
                    </>
                  )}
                </div>
              ))}
            </Spoiler>
          )}
        </>
      }
      side={<When date={uploadedDate} />}
      actions={
        onRemove && (
          <Button size="compact-sm" variant="default" onClick={onRemove} aria-label={`Delete ${versions ?? 'symbols'}`}>
            Delete
          </Button>
        )
      }
    />
  )
}
