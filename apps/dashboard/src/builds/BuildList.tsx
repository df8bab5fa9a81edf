import type { Build } from '@fairlead/contract'
import { Checkbox, Group, Text } from '@mantine/core'
import { useQueries } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useCan } from '../api/session.ts'
import { lazyDialog, lazyPart } from '../ui/lazy-part.tsx'
import { List } from '../ui/ListRow.tsx'
import { BuildRow } from './BuildRow.tsx'
import { buildFactsQuery } from './queries.ts'

const SelectionBar = lazyPart(async () => (await import('./SelectionBar.tsx')).SelectionBar)
const DistributeDialog = lazyDialog(async () => (await import('./DistributeDialog.tsx')).DistributeDialog)

interface BuildListProps {
  applicationId: number
  /** The builds as they were loaded, page by page. */
  pages: Build[][]
  /** How many builds there are, in words. */
  count: string
}

/** A list of builds that can be selected, to distribute or delete several at once. */
export function BuildList({ applicationId, pages, count }: BuildListProps) {
  const canWrite = useCan('developer')
  const builds = pages.flat()
  const facts = useFacts(applicationId, pages)
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set())
  const [distributed, setDistributed] = useState<Build>()
  const last = useRef<number>(undefined)
  // Builds that a filter hides or that are deleted are not selected any more.
  const selected = builds.filter(({ id }) => chosen.has(id))

  const select = (id: number, isSelected: boolean, isRange: boolean) => {
    const places = [last.current, id].map((one) => builds.findIndex((build) => build.id === one))
    const isKnown = isRange && places.every((place) => place !== -1)
    const ids = isKnown ? builds.slice(Math.min(...places), Math.max(...places) + 1).map((build) => build.id) : [id]
    last.current = id
    setChosen((before) => {
      const next = new Set(before)
      for (const one of ids) {
        if (isSelected) next.add(one)
        else next.delete(one)
      }
      return next
    })
  }
  return (
    <>
      <Group mb="xs" gap="md" pl={canWrite ? '1rem' : 0}>
        {canWrite && (
          <Checkbox
            size="sm"
            label="Select all"
            checked={builds.length > 0 && selected.length === builds.length}
            indeterminate={selected.length > 0 && selected.length < builds.length}
            onChange={(event) => setChosen(new Set(event.currentTarget.checked ? builds.map(({ id }) => id) : []))}
          />
        )}
        <Text size="sm" c="dimmed" role="status">
          {count}
        </Text>
      </Group>
      <List label="Builds">
        {builds.map((build) => (
          <BuildRow
            key={build.id}
            build={build}
            facts={facts.get(build.id)}
            {...(canWrite && {
              selection: {
                isSelected: chosen.has(build.id),
                onSelect: (isSelected: boolean, isRange: boolean) => select(build.id, isSelected, isRange),
                onDistribute: () => setDistributed(build),
              },
            })}
          />
        ))}
      </List>
      {selected.length > 0 && <SelectionBar builds={selected} onClear={() => setChosen(new Set())} />}
      {distributed && <DistributeDialog builds={[distributed]} onClose={() => setDistributed(undefined)} />}
    </>
  )
}

/** Loads what is known of the builds beside their list, page by page. */
function useFacts(applicationId: number, pages: Build[][]) {
  const answers = useQueries({
    queries: pages.map((builds) =>
      buildFactsQuery(
        applicationId,
        builds.map(({ id }) => id),
      ),
    ),
  })
  return new Map(answers.flatMap(({ data = [] }) => data).map((facts) => [facts.buildId, facts]))
}
