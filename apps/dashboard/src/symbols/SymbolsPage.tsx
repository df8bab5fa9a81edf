import type { SymbolsFile } from '@fairlead/contract'
import { Button, Group, Stack, Text } from '@mantine/core'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { FileCode2, Upload } from 'lucide-react'
import { useState } from 'react'
import { client } from '../api/client.ts'
import { useCan } from '../api/session.ts'
import { applicationQuery } from '../applications/queries.ts'
import { newestBuildsQuery } from '../builds/queries.ts'
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx'
import { DropArea } from '../ui/DropArea.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { ErrorNotice } from '../ui/ErrorNotice.tsx'
import { formatCount } from '../ui/format.ts'
import { List } from '../ui/ListRow.tsx'
import { Panel } from '../ui/Panel.tsx'
import { MissingImages } from '../ui/MissingImages.tsx'
import { symbolsFilesQuery } from './queries.ts'
import { SymbolsFileRow } from './SymbolsFileRow.tsx'
import { lazyDialog } from '../ui/lazy-part.tsx'

const UploadSymbolsDialog = lazyDialog(async () => (await import('./UploadSymbolsDialog.tsx')).UploadSymbolsDialog)

const route = getRouteApi('/shell/applications/$applicationId/symbols')

export function SymbolsPage() {
  const { applicationId } = route.useParams()
  const { data: application } = useSuspenseQuery(applicationQuery(applicationId))
  const { data: files } = useSuspenseQuery(symbolsFilesQuery(applicationId))
  const canWrite = useCan('developer')
  const [removed, setRemoved] = useState<SymbolsFile | null>(null)
  // Undefined means no dialog; null means that the dialog is open and no file is chosen yet.
  const [uploaded, setUploaded] = useState<File | null>()
  const isAndroid = application.platform === 'android'
  const [what, it] = isAndroid ? ['a mapping.txt or native symbols', 'them'] : ['a zip of dSYMs', 'it']
  const uploadButton = canWrite && (
    <Button leftSection={<Upload size={16} />} onClick={() => setUploaded(null)}>
      Upload symbols
    </Button>
  )
  const list = (
    <Stack gap="lg">
      {files.length === 0 ? (
        <EmptyState icon={FileCode2} title="No symbols yet">
          <Text c="dimmed">
            {canWrite
              ? `Drop ${what} here. With ${it}, crashes show source lines.`
              : 'With symbols, crashes show source lines.'}
          </Text>
          {uploadButton}
        </EmptyState>
      ) : (
        <>
          <Group justify="space-between">
            <Text size="sm" c="dimmed">
              {formatCount(files.length, 'file')}
            </Text>
            {uploadButton}
          </Group>
          <List label="Symbols files">
            {files.map((file) => (
              <SymbolsFileRow key={file.id} file={file} {...(canWrite && { onRemove: () => setRemoved(file) })} />
            ))}
          </List>
        </>
      )}
      <MissingSymbols applicationId={applicationId} />
    </Stack>
  )
  return (
    <>
      {canWrite ? (
        <DropArea hint={`Drop ${what} to upload it`} onFiles={([file]) => setUploaded(file)}>
          {list}
        </DropArea>
      ) : (
        list
      )}
      {uploaded !== undefined && (
        <UploadSymbolsDialog application={application} file={uploaded} onClose={() => setUploaded(undefined)} />
      )}
      {removed && (
        <ConfirmDialog
          title="Delete the symbols"
          action="Delete"
          onConfirm={() => client.symbols.remove(removed.id)}
          onClose={() => setRemoved(null)}
        >
          Crashes that need them will show no source lines any more.
        </ConfirmDialog>
      )}
    </>
  )
}

/** Lists images of the newest builds whose symbols are not uploaded. */
function MissingSymbols({ applicationId }: { applicationId: number }) {
  const { data: builds, error } = useQuery(newestBuildsQuery(applicationId))
  if (error) return <ErrorNotice error={error} />
  const incomplete = builds?.filter(({ symbols }) => symbols !== null && symbols.missing.length > 0) ?? []
  if (incomplete.length === 0) return null
  return (
    <Panel title="Missing for the newest builds">
      <Stack>
        {incomplete.slice(0, 5).map(({ id, shortVersion, version, symbols }) => (
          <div key={id}>
            <Text size="sm" fw={580}>
              {shortVersion} ({version})
            </Text>
            <MissingImages images={symbols?.missing ?? []} />
          </div>
        ))}
      </Stack>
    </Panel>
  )
}
