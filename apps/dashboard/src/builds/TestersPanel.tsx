import type { Build, BuildTester, TesterState } from '@fairlead/contract'
import { Badge, Button, Group, SegmentedControl, Skeleton, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { BellRing } from 'lucide-react'
import { useState } from 'react'
import { ErrorNotice } from '../ui/ErrorNotice.tsx'
import { formatCount } from '../ui/format.ts'
import { lazyDialog } from '../ui/lazy-part.tsx'
import { List, ListRow } from '../ui/ListRow.tsx'
import { Panel } from '../ui/Panel.tsx'
import { ShowMore, useParts } from '../ui/ShowMore.tsx'
import { When } from '../ui/When.tsx'
import { buildTestersQuery } from './queries.ts'
import { describeState, testerStates, toStateLabel } from './tester-states.ts'

const RemindDialog = lazyDialog(async () => (await import('./RemindDialog.tsx')).RemindDialog)

/** The panel shows this many rows at first, because the crashes of the build may stand below it. */
const shownFirst = 10

/** Shows who was told of the build, opened it and installed it. */
export function TestersPanel({ build, canWrite }: { build: Build; canWrite: boolean }) {
  const { data, error } = useQuery(buildTestersQuery(build.id))
  const [isReminding, reminding] = useDisclosure()
  if (data?.length === 0) return null
  const remind = canWrite && !build.isExpired && data?.some(({ state }) => state !== 'installed') && (
    <Button size="compact-sm" variant="default" leftSection={<BellRing size={14} />} onClick={reminding.open}>
      Remind
    </Button>
  )
  return (
    <Panel title="Testers" actions={remind}>
      <ErrorNotice error={error} />
      {!data && !error && <Skeleton height={120} />}
      {data && <TesterStatuses testers={data} />}
      {isReminding && data && <RemindDialog build={build} testers={data} onClose={reminding.close} />}
    </Panel>
  )
}

function TesterStatuses({ testers }: { testers: BuildTester[] }) {
  const [state, setState] = useState<TesterState | 'all'>('all')
  const countOf = (one: TesterState) => testers.filter((tester) => tester.state === one).length
  const choices = testerStates.flatMap(({ state: value, label }) => {
    const count = countOf(value)
    return count === 0 ? [] : [{ value, label: `${label} ${count}` }]
  })
  const { shown, more } = useParts(
    testers.filter((tester) => state === 'all' || tester.state === state),
    { first: shownFirst },
  )
  return (
    <>
      {choices.length > 1 && (
        <SegmentedControl<TesterState | 'all'>
          size="xs"
          mb="xs"
          aria-label="State"
          value={state}
          onChange={setState}
          data={[{ value: 'all', label: `All ${testers.length}` }, ...choices]}
          styles={{ root: { flexWrap: 'wrap' } }}
        />
      )}
      <Text size="sm" c="dimmed" role="status">
        {countOf('installed')} of {formatCount(testers.length, 'tester')} installed it
      </Text>
      <List label="Testers of this build">
        {shown.map((tester) => (
          <StatusRow key={tester.testerId} tester={tester} />
        ))}
      </List>
      <ShowMore {...more} />
    </>
  )
}

function StatusRow({ tester }: { tester: BuildTester }) {
  const { email, name, state, installedDate, openedDate, toldDate, remindedDate, isUnsubscribed, mailState } = tester
  const date = installedDate ?? openedDate ?? toldDate
  const isFailed = state === 'told' && mailState === 'failed'
  return (
    <ListRow
      title={
        <Group gap={8}>
          {name ?? email}
          {isUnsubscribed && <Badge color="gray">No mails</Badge>}
        </Group>
      }
      sub={
        <>
          {name !== null && `${email} · `}
          {describeState(tester)}
          {date !== null && (
            <>
              {' · '}
              <When date={date} />
            </>
          )}
          {remindedDate !== null && (
            <>
              {' · reminded '}
              <When date={remindedDate} />
            </>
          )}
        </>
      }
      actions={
        <Badge color={isFailed ? 'orange' : state === 'installed' ? 'green' : 'gray'}>{toStateLabel(tester)}</Badge>
      }
    />
  )
}
