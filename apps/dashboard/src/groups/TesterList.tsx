import type { Tester } from '@fairlead/contract'
import { Group, Text } from '@mantine/core'
import { Search } from 'lucide-react'
import type { ReactNode } from 'react'
import { formatCount } from '../ui/format.ts'
import { List } from '../ui/ListRow.tsx'
import { ShowMore, useParts } from '../ui/ShowMore.tsx'
import { TextFilter } from '../ui/TextFilter.tsx'

/** The list shows this many rows at first: two screens of a phone, on which nobody scrolls through a thousand. */
const shownFirst = 20

interface TesterListProps {
  testers: readonly Tester[]
  /** The search in the URL. */
  q: string
  onSearch: (q: string) => void
  children: (tester: Tester) => ReactNode
}

/** Testers with a search through all of them above the first ones: a group may have thousands. */
export function TesterList({ testers, q, onSearch, children }: TesterListProps) {
  const wanted = q.trim().toLowerCase()
  const found = testers.filter(({ email, name, groups }) =>
    [email, name ?? '', ...groups.map((group) => group.name)].some((part) => part.toLowerCase().includes(wanted)),
  )
  const { shown, more } = useParts(found, { first: shownFirst })
  return (
    <>
      <Group mb="sm">
        <TextFilter
          label="Search testers"
          placeholder="Search by name, address or group"
          icon={<Search size={16} />}
          value={q}
          onChange={onSearch}
          width="1 1 100%"
        />
      </Group>
      <Text size="sm" c="dimmed" mb="xs" role="status">
        {formatCount(found.length, 'tester')}
      </Text>
      <List label="Testers">{shown.map(children)}</List>
      <ShowMore {...more} />
    </>
  )
}
