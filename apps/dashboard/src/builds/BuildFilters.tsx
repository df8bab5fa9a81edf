import { CloseButton, Group, NativeSelect, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useSuspenseQuery } from '@tanstack/react-query'
import { GitBranch, Search } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { groupsQuery } from '../groups/queries.ts'
import type { BuildsSearch } from './search.ts'

interface BuildFiltersProps {
  search: BuildsSearch
  onChange: (search: BuildsSearch) => void
  children: ReactNode
}

/**
 * Search field and filters. Their state is in the URL, so that a list can be shared and the back button restores it.
 */
export function BuildFilters({ search, onChange, children }: BuildFiltersProps) {
  const { data: groups } = useSuspenseQuery(groupsQuery)
  const change = (part: { [Name in keyof BuildsSearch]: string }) => {
    const next = Object.entries({ ...search, ...part }).filter(([, value]) => value !== '')
    onChange(Object.fromEntries(next))
  }
  return (
    <Group mb="sm" gap="xs">
      <TextFilter
        label="Search builds"
        placeholder="Version, number, branch, commit or notes"
        icon={<Search size={16} />}
        value={search.q ?? ''}
        onChange={(q) => change({ q })}
        width="4 1 18rem"
      />
      <TextFilter
        label="Branch"
        placeholder="Branch"
        icon={<GitBranch size={16} />}
        value={search.branch ?? ''}
        onChange={(branch) => change({ branch })}
        width="1 1 8.5rem"
      />
      {groups.length > 0 && (
        <NativeSelect
          aria-label="Group"
          flex="1 1 8.5rem"
          value={search.group ?? ''}
          onChange={(event) => change({ group: event.currentTarget.value })}
          data={[{ value: '', label: 'Any group' }, ...groups.map(({ name }) => ({ value: name, label: name }))]}
        />
      )}
      {children}
    </Group>
  )
}

interface TextFilterProps {
  label: string
  placeholder: string
  icon: ReactNode
  value: string
  onChange: (value: string) => void
  width: string
}

function TextFilter({ label, placeholder, icon, value, onChange, width }: TextFilterProps) {
  const [text, setText] = useState(value)
  const [known, setKnown] = useState(value)
  // The URL changed without typing: by the back button, or by a link that clears the filters.
  if (value !== known) {
    setKnown(value)
    setText(value)
  }
  const announce = useDebouncedCallback((next: string) => {
    setKnown(next.trim())
    onChange(next.trim())
  }, 250)
  const type = (next: string) => {
    setText(next)
    announce(next)
  }
  return (
    <TextInput
      flex={width}
      aria-label={label}
      placeholder={placeholder}
      leftSection={icon}
      value={text}
      onChange={(event) => type(event.currentTarget.value)}
      rightSection={text !== '' && <CloseButton size="sm" aria-label={`Clear: ${label}`} onClick={() => type('')} />}
    />
  )
}
