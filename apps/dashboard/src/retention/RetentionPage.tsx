import type { Retention, SaveRetention } from '@fairlead/contract'
import { Button, Group, Stack, Switch, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useMutation, useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { client } from '../api/client.ts'
import { useCan } from '../api/session.ts'
import { ErrorNotice } from '../ui/ErrorNotice.tsx'
import { formatInstant } from '../ui/format.ts'
import { Panel } from '../ui/Panel.tsx'
import { tell } from '../ui/tell.ts'
import { DayLimit } from './DayLimit.tsx'
import { DryRunPanel } from './DryRunPanel.tsx'
import { retentionQuery } from './queries.ts'
import { RuleList } from './RuleList.tsx'
import { RunsPanel } from './RunsPanel.tsx'
import { TrashPanel } from './TrashPanel.tsx'

const route = getRouteApi('/shell/applications/$applicationId/retention')

/** How long the dry run waits after the last change of a rule, in milliseconds. */
const editPauseMs = 400

/** Edits the rules that remove old builds, and shows beside them what they would take now. */
export function RetentionPage() {
  const { applicationId } = route.useParams()
  const { data } = useSuspenseQuery(retentionQuery(applicationId))
  const [edited, setEdited] = useState(toEdited(data))
  const [tried] = useDebouncedValue(edited, editPauseMs)
  const isAdmin = useCan('admin')
  const isDeveloper = useCan('developer')
  const save = useMutation({
    mutationFn: () => client.retention.save(applicationId, edited),
    onSuccess: (saved) => {
      setEdited(toEdited(saved))
      tell('The rules are saved')
    },
  })
  const isChanged = JSON.stringify(edited) !== JSON.stringify(toEdited(data))
  return (
    <Stack gap="lg">
      <Panel title="Rules">
        <form
          onSubmit={(event) => {
            event.preventDefault()
            save.mutate()
          }}
        >
          <Stack>
            <Text size="sm">
              The first rule that fits the branch of a build decides. A build goes if it is over every limit of that
              rule. Pinned builds, those of the last day, the newest of each branch, the newest that a group or a latest
              link has, and builds that were distributed lately always stay.
            </Text>
            {data.source === 'workspace' && (
              <Text size="sm" c="dimmed">
                This application follows the rule of the workspace until it has rules of its own.
              </Text>
            )}
            <Switch
              label="Remove builds by these rules once a day"
              checked={edited.isEnabled}
              disabled={!isAdmin}
              onChange={(event) => setEdited({ ...edited, isEnabled: event.currentTarget.checked })}
            />
            <RuleList
              rules={edited.rules}
              isReadOnly={!isAdmin}
              onChange={(rules) => setEdited({ ...edited, rules: [...rules] })}
            />
            <Group align="flex-end">
              <DayLimit
                label="Keep what was distributed within so many days"
                value={edited.keepDistributedDays}
                min={0}
                isReadOnly={!isAdmin}
                onChange={(days) => setEdited({ ...edited, keepDistributedDays: days ?? 0 })}
              />
              <DayLimit
                label="Quiet branches lose their last build after so many days"
                value={edited.quietBranchDays}
                min={1}
                isReadOnly={!isAdmin}
                onChange={(days) => setEdited({ ...edited, quietBranchDays: days })}
              />
            </Group>
            <ErrorNotice error={save.error} />
            {isAdmin && (
              <Group>
                <Button type="submit" loading={save.isPending} disabled={!isChanged}>
                  Save the rules
                </Button>
                <Text size="sm" c="dimmed">
                  {describeNextRun(data)}
                </Text>
              </Group>
            )}
          </Stack>
        </form>
      </Panel>
      {isDeveloper && <DryRunPanel applicationId={applicationId} rules={withoutEmpty(tried)} />}
      <RunsPanel applicationId={applicationId} mayRun={isAdmin && !isChanged} isAdmin={isAdmin} />
      <TrashPanel applicationId={applicationId} mayRestore={isDeveloper} mayEmpty={isAdmin} />
    </Stack>
  )
}

function toEdited({ isEnabled, rules, keepDistributedDays, quietBranchDays }: Retention): SaveRetention {
  return { isEnabled, rules, keepDistributedDays, quietBranchDays }
}

/** A rule whose branches are not typed yet takes nothing. */
function withoutEmpty(retention: SaveRetention): SaveRetention {
  return { ...retention, rules: retention.rules.filter(({ branches }) => branches.length > 0) }
}

function describeNextRun({ nextRunDate }: Retention): string {
  if (nextRunDate === null) return 'Nothing is removed by itself.'
  return `Next run: ${formatInstant(nextRunDate)}. Stricter rules wait a day, and a mail tells the administrators.`
}
