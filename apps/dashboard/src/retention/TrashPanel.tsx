import { Button, Loader, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useMutation, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { client } from '../api/client.ts'
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx'
import { ErrorNotice } from '../ui/ErrorNotice.tsx'
import { formatBytes, formatCount, formatDay } from '../ui/format.ts'
import { List, ListRow } from '../ui/ListRow.tsx'
import { Panel } from '../ui/Panel.tsx'
import { tell } from '../ui/tell.ts'
import { runsQuery, trashQuery } from './queries.ts'

interface TrashPanelProps {
  applicationId: number
  mayRestore: boolean
  mayEmpty: boolean
}

/** Shows the builds in the trash, which can be restored until they are deleted for good. */
export function TrashPanel({ applicationId, mayRestore, mayEmpty }: TrashPanelProps) {
  const { data: runs } = useSuspenseQuery(runsQuery(applicationId))
  const { data, error } = useQuery(trashQuery(applicationId, runs))
  const [isAsking, dialog] = useDisclosure()
  const restore = useMutation({
    mutationFn: (id: number) => client.retention.restore(id),
    onSuccess: ({ shortVersion, version }) => tell(`${shortVersion} (${version}) is restored`),
  })
  const total = data?.total ?? data?.items.length ?? 0
  return (
    <Panel
      title="Trash"
      actions={
        mayEmpty &&
        total > 0 && (
          <Button variant="default" size="compact-sm" onClick={dialog.open}>
            Empty the trash
          </Button>
        )
      }
    >
      <ErrorNotice error={error ?? restore.error} />
      {!data && !error && <Loader size="sm" />}
      {data && total === 0 && <Text c="dimmed">The trash is empty.</Text>}
      {data && total > 0 && (
        <>
          <Text size="sm" c="dimmed" mb="xs">
            {formatCount(total, 'build')}. Their bytes count to the quota until they are deleted for good.
          </Text>
          <List label="Trash">
            {data.items.map(({ id, shortVersion, version, size, purgeDate, source }) => (
              <ListRow
                key={id}
                title={`${shortVersion} (${version})`}
                sub={`${source?.branch ?? 'no branch'} · ${formatBytes(size)} · deleted on ${formatDay(purgeDate)}`}
                actions={
                  mayRestore && (
                    <Button
                      size="compact-sm"
                      variant="default"
                      aria-label={`Restore ${shortVersion} (${version})`}
                      loading={restore.isPending && restore.variables === id}
                      onClick={() => restore.mutate(id)}
                    >
                      Restore
                    </Button>
                  )
                }
              />
            ))}
          </List>
        </>
      )}
      {isAsking && (
        <ConfirmDialog
          title="Empty the trash"
          action="Delete them"
          onConfirm={() => client.retention.emptyTrash(applicationId)}
          onClose={dialog.close}
        >
          {formatCount(total, 'build')} will be deleted for good. No run that moved them here can be undone then.
        </ConfirmDialog>
      )}
    </Panel>
  )
}
