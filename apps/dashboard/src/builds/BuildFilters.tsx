import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { GitBranch, Search } from 'lucide-react'
import type { ReactNode } from 'react'
import type { BuildsSearch } from '../early/requests.ts'
import { groupsQuery } from '../groups/queries.ts'
import { FilterBar, searchWidth } from '../ui/FilterBar.tsx'
import { TextFilter } from '../ui/TextFilter.tsx'

interface BuildFiltersProps {
  search: BuildsSearch
  /** Called with the changed filter; an empty text removes it. */
  onChange: (part: { [Name in keyof BuildsSearch]: string }) => void
  /** The branches that the field suggests. */
  branches: string[]
  children: ReactNode
}

/** The search and the filters of a list. The URL holds them, so links and the back button keep them. */
export function BuildFilters({ search, onChange, branches, children }: BuildFiltersProps) {
  const { data: groups = [] } = useQuery(groupsQuery)
  return (
    <FilterBar>
      <TextFilter
        label="Search builds"
        placeholder="Version, number, branch, commit or notes"
        icon={<Search size={16} />}
        value={search.q ?? ''}
        onChange={(q) => onChange({ q })}
        width={searchWidth}
      />
      <TextFilter
        label="Branch"
        placeholder="Branch"
        icon={<GitBranch size={16} />}
        value={(search.branch ?? '').replace(/\*$/, '')}
        onChange={(branch) => onChange({ branch: branches.includes(branch) || branch === '' ? branch : `${branch}*` })}
        suggestions={branches}
        width="1 1 8.5rem"
      />
      {groups.length > 0 && (
        <NativeSelect
          aria-label="Group"
          flex="1 1 8.5rem"
          value={search.group ?? ''}
          onChange={(event) => onChange({ group: event.currentTarget.value })}
          data={[{ value: '', label: 'Any group' }, ...groups.map(({ name }) => ({ value: name, label: name }))]}
        />
      )}
      <NativeSelect
        aria-label="Sort"
        flex="1 1 8.5rem"
        value={search.sort ?? 'newest'}
        onChange={({ currentTarget: { value } }) => onChange({ sort: value === 'newest' ? '' : value })}
        data={[
          { value: 'newest', label: 'Newest first' },
          { value: 'oldest', label: 'Oldest first' },
          { value: 'largest', label: 'Largest first' },
          { value: 'installs', label: 'Most installs first' },
        ]}
      />
      {children}
    </FilterBar>
  )
}
