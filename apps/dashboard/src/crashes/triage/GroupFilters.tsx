import type { CrashGroup, CrashGroupStatus } from '@fairlead/contract'
import { Button, NativeSelect, SegmentedControl } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { ListFilter, Search } from 'lucide-react'
import { FilterBar, searchWidth } from '../../ui/FilterBar.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { TextFilter } from '../../ui/TextFilter.tsx'
import classes from './group-list.module.css'
import { type CrashGroupsSearch, countFilters, readCrashGroupsSearch } from '../../early/crash-groups-search.ts'

const MoreFilters = lazyPart(
  async () => (await import('./MoreFilters.tsx')).MoreFilters,
  <div className={classes['filtersPlace']} />,
)

const statuses: { value: CrashGroupStatus | 'all'; label: string }[] = [
  { value: 'open', label: 'Open' },
  { value: 'resolved', label: 'Resolved' },
  { value: 'ignored', label: 'Ignored' },
  { value: 'all', label: 'All' },
]

const orders = [
  { value: 'lastSeen', label: 'Last seen first' },
  { value: 'firstSeen', label: 'Newest first' },
  { value: 'crashes', label: 'Most crashes' },
  { value: 'installs', label: 'Most people' },
  { value: 'trend', label: 'Most in 30 days' },
]

interface GroupFiltersProps {
  search: CrashGroupsSearch
  /** The groups that are shown, whose values the fields suggest. */
  groups: readonly CrashGroup[]
  onChange: (search: CrashGroupsSearch) => void
}

/** Search, status, order and filters of the list of groups. The URL holds them all. */
export function GroupFilters({ search, groups, onChange }: GroupFiltersProps) {
  const count = countFilters(search)
  const [isOpen, filters] = useDisclosure(count > 0)
  const change = (part: Record<string, unknown>) => onChange(readCrashGroupsSearch({ ...search, ...part }))
  const shownStatus = search.status ?? (search.build === undefined ? 'open' : 'all')
  return (
    <div>
      <FilterBar>
        <TextFilter
          label="Search crashes"
          placeholder="Exception, message or method"
          icon={<Search size={16} />}
          value={search.q ?? ''}
          onChange={(q) => change({ q })}
          width={searchWidth}
        />
        <SegmentedControl
          aria-label="Status"
          data={statuses}
          value={shownStatus}
          onChange={(status) => {
            const isDefault = status === (search.build === undefined ? 'open' : 'all')
            onChange({
              ...search,
              status: isDefault ? undefined : statuses.find(({ value }) => value === status)?.value,
            })
          }}
        />
        <NativeSelect
          aria-label="Order"
          flex="1 1 9rem"
          value={search.sort ?? 'lastSeen'}
          onChange={({ currentTarget: { value } }) => change({ sort: value })}
          data={orders}
        />
        <Button
          variant="default"
          leftSection={<ListFilter size={16} />}
          aria-expanded={isOpen}
          aria-controls="crash-filters"
          onClick={filters.toggle}
        >
          {count === 0 ? 'Filters' : `Filters (${count})`}
        </Button>
      </FilterBar>
      <div id="crash-filters" hidden={!isOpen}>
        {isOpen && <MoreFilters search={search} groups={groups} onChange={change} count={count} />}
      </div>
    </div>
  )
}
