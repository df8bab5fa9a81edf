import type { CrashGroup } from '@fairlead/contract'
import { Button, NativeSelect, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Cpu, ListFilter, Smartphone, Tag, Tags } from 'lucide-react'
import type { CrashGroupsSearch } from '../../early/crash-groups-search.ts'
import { membersQuery } from '../../members/queries.ts'
import { TextFilter } from '../../ui/TextFilter.tsx'
import classes from './group-list.module.css'

const kinds = [
  { value: '', label: 'Any kind' },
  { value: 'crash', label: 'Crashes' },
  { value: 'anr', label: 'Not responding' },
  { value: 'hang', label: 'Hangs' },
  { value: 'handled', label: 'Handled errors' },
]

interface MoreFiltersProps {
  search: CrashGroupsSearch
  groups: readonly CrashGroup[]
  onChange: (part: Record<string, unknown>) => void
  count: number
}

/** The filters that are seldom used, which are shown on demand, or when the address has one of them. */
export function MoreFilters({ search, groups, onChange, count }: MoreFiltersProps) {
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
