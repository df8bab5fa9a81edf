import type { CrashGroup, CrashGroupStatus } from '@fairlead/contract'
import { Button, NativeSelect, SegmentedControl, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { Cpu, ListFilter, Search, Smartphone, Tag, Tags } from 'lucide-react'
import { membersQuery } from '../../members/queries.ts'
import { FilterBar, searchWidth } from '../../ui/FilterBar.tsx'
import { TextFilter } from '../../ui/TextFilter.tsx'
import classes from './group-list.module.css'
import { type CrashGroupsSearch, countFilters, readCrashGroupsSearch } from '../../early/crash-groups-search.ts'

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

const kinds = [
  { value: '', label: 'Any kind' },
  { value: 'crash', label: 'Crashes' },
  { value: 'anr', label: 'Not responding' },
  { value: 'hang', label: 'Hangs' },
  { value: 'handled', label: 'Handled errors' },
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

interface MoreFiltersProps {
  search: CrashGroupsSearch
  groups: readonly CrashGroup[]
  onChange: (part: Record<string, unknown>) => void
  count: number
}

function MoreFilters({ search, groups, onChange, count }: MoreFiltersProps) {
  const { data: members = [] } = useQuery(membersQuery)
  const releases = groups.flatMap(({ firstRelease, lastRelease }) => [firstRelease, lastRelease])
  const versions = releases.flatMap((release) => release?.version ?? release?.shortVersion ?? [])
  const environments = groups.flatMap((group) => group.environments)
  const suggest = (values: readonly string[]) => [...new Set(values)].toSorted()
  return (
    <div className={classes['filters']}>
      <TextFilter
        label="Version"
        placeholder="Version"
        icon={<Tags size={16} />}
        value={search.version ?? ''}
        onChange={(version) => onChange({ version })}
        suggestions={suggest(versions)}
        width="1 1 8rem"
      />
      <NativeSelect
        aria-label="Kind"
        value={search.kind ?? ''}
        onChange={({ currentTarget: { value } }) => onChange({ kind: value })}
        data={kinds}
      />
      <TextFilter
        label="Environment"
        placeholder="Environment"
        icon={<ListFilter size={16} />}
        value={search.environment ?? ''}
        onChange={(environment) => onChange({ environment })}
        suggestions={suggest(environments)}
        width="1 1 8rem"
      />
      <TextFilter
        label="Device"
        placeholder="Device"
        icon={<Smartphone size={16} />}
        value={search.device ?? ''}
        onChange={(device) => onChange({ device })}
        width="1 1 8rem"
      />
      <TextFilter
        label="System"
        placeholder="System, such as Android 16"
        icon={<Cpu size={16} />}
        value={search.os ?? ''}
        onChange={(os) => onChange({ os })}
        width="1 1 8rem"
      />
      <NativeSelect
        aria-label="Assignee"
        value={String(search.assignee ?? '')}
        onChange={({ currentTarget: { value } }) =>
          onChange({ assignee: value === 'none' || value === '' ? value : Number(value) })
        }
        data={[
          { value: '', label: 'Any assignee' },
          { value: 'none', label: 'Nobody' },
          ...members.map(({ accountId, name, email }) => ({
            value: String(accountId),
            label: name === '' ? email : name,
          })),
        ]}
      />
      <TextFilter
        label="Tag"
        placeholder="Tag, such as tenant:acme"
        icon={<Tag size={16} />}
        value={search.tag ?? ''}
        onChange={(tag) => onChange({ tag })}
        width="1 1 8rem"
      />
      <TextInput
        type="date"
        aria-label="Crashed on this day"
        leftSection="On"
        value={search.date ?? ''}
        onChange={({ currentTarget: { value } }) => onChange({ date: value })}
      />
      {count > 0 && (
        <Button
          variant="subtle"
          onClick={() =>
            onChange({
              version: '',
              kind: '',
              environment: '',
              device: '',
              os: '',
              assignee: '',
              tag: '',
              date: '',
            })
          }
        >
          Clear filters
        </Button>
      )}
    </div>
  )
}
