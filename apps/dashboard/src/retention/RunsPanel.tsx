import type { RetentionRun } from '@fairlead/contract'
import { Badge, Button, Group, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useMutation, useSuspenseQuery } from '@tanstack/react-query'
import { client } from '../api/client.ts'
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx'
import { ErrorNotice } from '../ui/ErrorNotice.tsx'
import { formatBytes, formatCount } from '../ui/format.ts'
import { List, ListRow } from '../ui/ListRow.tsx'
import { Panel } from '../ui/Panel.tsx'
import { tell } from '../ui/tell.ts'
import { When } from '../ui/When.tsx'
import { runsQuery } from './queries.ts'

const shownRuns = 20

interface RunsPanelProps {
  applicationId: number
  /** Whether the rules can be run: what is shown in the dry run has to be what is saved. */
  mayRun: boolean
  isAdmin: boolean
}

/** Lists the runs of the rules, and undoes them. */
export function RunsPanel({ applicationId, mayRun, isAdmin }: RunsPanelProps) {
  const { data: runs } = useSuspenseQuery(runsQuery(applicationId))
  const [isAsking, dialog] = useDisclosure()
  const undo = useMutation({
    mutationFn: (id: number) => client.retention.undo(id),
    onSuccess: ({ restoredCount }) => tell(`${formatCount(restoredCount, 'build')} restored`),
  })
  return (
    <Panel
      title="Runs"
      actions={
        isAdmin && (
          <Button variant="default" size="compact-sm" disabled={!mayRun} onClick={dialog.open}>
            Run the saved rules now
          </Button>
        )
      }
    >
      <ErrorNotice error={undo.error} />
      {runs.length === 0 ? (
        <Text c="dimmed">The rules were not run yet.</Text>
      ) : (
        <List label="Runs">
          {runs.slice(0, shownRuns).map((run) => (
            <ListRow
              key={run.id}
              title={
                <Group gap={8}>
                  <When date={run.startedDate} />
                  {run.state === 'running' && <Badge>Running</Badge>}
                  {run.state === 'undone' && <Badge color="gray">Undone</Badge>}
                </Group>
              }
              sub={describeRun(run)}
              actions={
                isAdmin &&
                isUndoable(run) && (
                  <Button
                    size="compact-sm"
                    variant="default"
                    loading={undo.isPending && undo.variables === run.id}
                    onClick={() => undo.mutate(run.id)}
                  >
                    Undo run {run.id}
                  </Button>
                )
              }
            />
          ))}
        </List>
      )}
      {isAsking && (
        <ConfirmDialog
          title="Run the rules now"
          action="Run them"
          onConfirm={() => client.retention.run(applicationId)}
          onClose={dialog.close}
        >
          The builds of the dry run go to the trash, and their install links stop working. The run can be undone as long
          as they are in the trash.
        </ConfirmDialog>
      )}
    </Panel>
  )
}

function describeRun({ trashedCount, trashedBytes, sparedCount, restoredCount, trigger }: RetentionRun): string {
  const facts = [
    `${formatCount(trashedCount, 'build')} of ${formatBytes(trashedBytes)}`,
    sparedCount === 0 ? null : `${sparedCount} spared at the last moment`,
    restoredCount === 0 ? null : `${restoredCount} restored`,
    trigger === 'hand' ? 'by hand' : 'by schedule',
  ]
  return facts.filter((fact) => fact !== null).join(' · ')
}

function isUndoable({ state, trashedCount, restoredCount, undoUntilDate }: RetentionRun): boolean {
  if (state === 'running') return true
  if (state === 'undone' || restoredCount >= trashedCount) return false
  return undoUntilDate !== null && Date.parse(undoUntilDate) > Date.now()
}
