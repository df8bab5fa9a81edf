import type { Crash, MissingSymbols } from '@fairlead/contract'
import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { Upload } from 'lucide-react'
import { useState } from 'react'
import { useCan } from '../api/session.ts'
import { applicationQuery } from '../applications/queries.ts'
import { CodeBlock } from '../ui/CodeBlock.tsx'
import { formatCount } from '../ui/format.ts'
import { missingSymbolsOfGroupQuery } from './queries.ts'
import { findUploadable, listMissingOf } from './missing-of-crash.ts'
import { toReleaseText } from './release-text.ts'
import { toUploadLine } from './upload-line.ts'
import { lazyDialog } from '../ui/lazy-part.tsx'

const UploadSymbolsDialog = lazyDialog(
  async () => (await import('../symbols/UploadSymbolsDialog.tsx')).UploadSymbolsDialog,
)

const kindNames: Record<MissingSymbols['kind'], string> = {
  proguard: 'The mapping',
  dsym: 'The dSYM',
  elf: 'The ELF file',
  sourcemap: 'The source map',
  dartmap: 'The obfuscation map',
}

/** Says above a stack which symbols its frames wait for, how many crashes of its group do, and how to upload them. */
export function MissingBanner({ crash }: { crash: Crash }) {
  const { applicationId, groupId } = crash
  const { data: application } = useSuspenseQuery(applicationQuery(applicationId))
  const { data: all } = useSuspenseQuery(missingSymbolsOfGroupQuery(applicationId, groupId))
  const [isUploading, setUploading] = useState(false)
  const canWrite = useCan('developer')
  const missing = listMissingOf(crash, all)
  const [first] = missing
  const wanted = findUploadable(missing)
  if (!first) {
    return (
      <Alert color="orange" title="Symbols are missing">
        <Text size="sm" className="break">
          {crash.missingSymbols.join(', ')}
        </Text>
      </Alert>
    )
  }
  return (
    <Alert color="orange" title="Some frames have no source lines">
      <Stack gap="xs">
        {missing.slice(0, 5).map((one) => (
          <Text key={`${one.kind} ${one.uuid} ${one.name}`} size="sm" className="break">
            {kindNames[one.kind]} of {one.kind === 'proguard' ? toReleaseText(one) : (one.name ?? 'an image')} is
            missing: {formatCount(one.crashCount, 'crash', 'crashes')} of this group
          </Text>
        ))}
        {!wanted && (
          <Text size="sm">
            The report does not say which build it is of, so no symbols can be found for it. Let the app send its
            release, or build its libraries with a build id.
          </Text>
        )}
        {canWrite && wanted && (
          <>
            <Group>
              <Button size="xs" leftSection={<Upload size={14} />} onClick={() => setUploading(true)}>
                Upload symbols
              </Button>
            </Group>
            <CodeBlock label="the command that uploads them" code={toUploadLine(application, wanted)} />
          </>
        )}
      </Stack>
      {isUploading && wanted && (
        <UploadSymbolsDialog
          application={application}
          file={null}
          release={wanted}
          onClose={() => setUploading(false)}
        />
      )}
    </Alert>
  )
}
