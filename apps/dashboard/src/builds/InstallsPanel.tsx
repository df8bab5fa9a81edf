import type { Build } from '@fairlead/contract'
import { NativeSelect, Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ErrorNotice } from '../ui/ErrorNotice.tsx'
import { Facts } from '../ui/Facts.tsx'
import { formatCount } from '../ui/format.ts'
import { Panel } from '../ui/Panel.tsx'
import { When } from '../ui/When.tsx'
import { InstallChart } from './InstallChart.tsx'
import { installsQuery } from './queries.ts'

/** Shows how often the build was installed, per day and per tester. */
export function InstallsPanel({ build }: { build: Build }) {
  const [days, setDays] = useState(30)
  const { data, error } = useQuery(installsQuery(build.id, days))
  const choice = (
    <NativeSelect
      size="xs"
      aria-label="Period"
      value={String(days)}
      onChange={(event) => setDays(Number(event.currentTarget.value))}
      data={[
        { value: '7', label: '7 days' },
        { value: '30', label: '30 days' },
        { value: '90', label: '90 days' },
      ]}
    />
  )
  return (
    <Panel title="Installs" actions={choice}>
      <ErrorNotice error={error} />
      {!data && !error && <Skeleton height={150} />}
      {data && (
        <>
          {data.days.some(({ installs, downloads }) => installs + downloads > 0) && <InstallChart days={data.days} />}
          <Text size="sm" c="dimmed" mt="xs">
            {build.installCount === 0 ? 'Not installed yet.' : `${formatCount(build.installCount, 'install')} in all`}
          </Text>
          {data.testers.length > 0 && (
            <Facts
              facts={data.testers.map(({ email, count, lastDate }) => [
                email,
                <span key="count">
                  {formatCount(count, 'time')}, last <When date={lastDate} />
                </span>,
              ])}
            />
          )}
        </>
      )}
    </Panel>
  )
}
