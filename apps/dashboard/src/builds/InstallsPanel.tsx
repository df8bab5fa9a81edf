import type { Build } from '@fairlead/contract'
import { NativeSelect, Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ErrorNotice } from '../ui/ErrorNotice.tsx'
import { Facts } from '../ui/Facts.tsx'
import { formatCount } from '../ui/format.ts'
import { lazyPart } from '../ui/lazy-part.tsx'
import { Panel } from '../ui/Panel.tsx'
import { useIsIdle } from '../ui/when-idle.ts'
import { When } from '../ui/When.tsx'
import { installsQuery } from './queries.ts'

const placeholder = <Skeleton height={150} />
const InstallChart = lazyPart(async () => (await import('./InstallChart.tsx')).InstallChart, placeholder)

/** Shows how often the build was installed, per day and per tester. */
export function InstallsPanel({ build }: { build: Build }) {
  const [days, setDays] = useState(30)
  const { data, error } = useQuery(installsQuery(build.id, days))
  // The chart comes after the page itself, which has to be quick on a slow network.
  const isIdle = useIsIdle()
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
      {!data && !error && placeholder}
      {data && (
        <>
          {isIdle ? <InstallChart days={data.days} /> : placeholder}
          <Text size="sm" c="dimmed" mt="xs">
            {formatCount(build.installCount, 'install')} in all
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
