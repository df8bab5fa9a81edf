import type { RetentionRule } from '@fairlead/contract'
import { ActionIcon, Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { ArrowUp, Plus, X } from 'lucide-react'
import { useState } from 'react'
import { NumberField } from '../ui/NumberField.tsx'

/** The API takes at most this many rules for an application. */
const maxRules = 50

interface RuleListProps {
  rules: readonly RetentionRule[]
  isReadOnly: boolean
  onChange: (rules: readonly RetentionRule[]) => void
}

/** Edits a list of rules, which are read from above. */
export function RuleList({ rules, isReadOnly, onChange }: RuleListProps) {
  const replace = (place: number, rule: RetentionRule) =>
    onChange(rules.map((old, other) => (other === place ? rule : old)))
  const moveUp = (place: number) => onChange(swap(rules, place - 1))
  return (
    <Stack>
      {rules.length === 0 && <Text c="dimmed">No rules: every build is kept.</Text>}
      {rules.map((rule, place) => (
        // A rule is nothing but its place in the list.
        // oxlint-disable-next-line react/no-array-index-key -- as said above
        <Group key={place} role="group" aria-label={`Rule ${place + 1}`} align="flex-end" gap="xs">
          <BranchField
            branches={rule.branches}
            isReadOnly={isReadOnly}
            onChange={(branches) => replace(place, { ...rule, branches })}
          />
          <NumberField
            label="Older than days"
            w="8.5rem"
            min={1}
            max={3650}
            placeholder="any age"
            disabled={isReadOnly}
            value={rule.maxAgeDays ?? ''}
            onChange={(days) => replace(place, { ...rule, maxAgeDays: days === '' ? null : days })}
          />
          <NumberField
            label="Beyond the newest"
            w="9.5rem"
            min={1}
            max={10_000}
            placeholder="any number"
            disabled={isReadOnly}
            value={rule.keepNewest ?? ''}
            onChange={(count) => replace(place, { ...rule, keepNewest: count === '' ? null : count })}
          />
          {!isReadOnly && (
            <Group gap={4} pb={3}>
              {place > 0 && (
                <ActionIcon variant="default" aria-label={`Move rule ${place + 1} up`} onClick={() => moveUp(place)}>
                  <ArrowUp size={16} />
                </ActionIcon>
              )}
              <ActionIcon
                variant="default"
                aria-label={`Remove rule ${place + 1}`}
                onClick={() => onChange(rules.filter((_rule, other) => other !== place))}
              >
                <X size={16} />
              </ActionIcon>
            </Group>
          )}
        </Group>
      ))}
      {!isReadOnly && rules.length < maxRules && (
        <Group>
          <Button
            variant="default"
            size="compact-sm"
            leftSection={<Plus size={14} />}
            onClick={() => onChange([...rules, { branches: ['*'], maxAgeDays: 90, keepNewest: 10 }])}
          >
            Add a rule
          </Button>
        </Group>
      )}
    </Stack>
  )
}

/** Swaps a rule with the one below it. */
function swap(rules: readonly RetentionRule[], place: number): RetentionRule[] {
  const [upper, lower] = rules.slice(place, place + 2)
  if (!upper || !lower) return [...rules]
  return [...rules.slice(0, place), lower, upper, ...rules.slice(place + 2)]
}

/** Stands for builds without a branch, whose pattern is an empty text. */
const noBranch = '(none)'

interface BranchFieldProps {
  branches: string[]
  isReadOnly: boolean
  onChange: (branches: string[]) => void
}

/** Edits patterns as words. What is typed stays as it is while it means the same patterns. */
function BranchField({ branches, isReadOnly, onChange }: BranchFieldProps) {
  const [typed, setTyped] = useState('')
  const isCurrent = JSON.stringify(toPatterns(typed)) === JSON.stringify(branches)
  return (
    <TextInput
      label="Branches"
      description={`Separated by spaces; * stands for any characters, ${noBranch} for no branch`}
      flex="1 1 14rem"
      required
      disabled={isReadOnly}
      value={isCurrent ? typed : branches.map((pattern) => (pattern === '' ? noBranch : pattern)).join(' ')}
      onChange={(event) => {
        setTyped(event.currentTarget.value)
        onChange(toPatterns(event.currentTarget.value))
      }}
    />
  )
}

function toPatterns(text: string): string[] {
  const words = text.split(/\s+/).filter((word) => word !== '')
  return words.map((word) => (word === noBranch ? '' : word))
}
