import type { CrashRule } from '@fairlead/contract'
import { ActionIcon, Button, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import { useMutation, useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Plus, X } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { client } from '../api/client.ts'
import { useCan } from '../api/session.ts'
import { ErrorNotice } from '../ui/ErrorNotice.tsx'
import { List, ListRow } from '../ui/ListRow.tsx'
import { Panel } from '../ui/Panel.tsx'
import { tell } from '../ui/tell.ts'
import { crashRulesQuery } from './queries.ts'

const route = getRouteApi('/shell/applications/$applicationId/crash-rules')

const kinds: { value: CrashRule['kind']; label: string }[] = [
  { value: 'app', label: 'belong to the app' },
  { value: 'system', label: 'belong to the system' },
  { value: 'skip', label: 'are passed over' },
]
/** The API takes at most this many rules for an application. */
const maxRules = 200

export function CrashRulesPage() {
  const { applicationId } = route.useParams()
  const { data } = useSuspenseQuery(crashRulesQuery(applicationId))
  const canWrite = useCan('developer')
  const [rules, setRules] = useState<readonly CrashRule[]>(data.rules)
  const save = useMutation({
    mutationFn: () => client.crashes.replaceRules(applicationId, { rules: [...rules] }),
    onSuccess: () => tell('The rules are saved; all stacks are grouped again'),
  })
  const isChanged = JSON.stringify(rules) !== JSON.stringify(data.rules)
  return (
    <Panel title="Grouping rules">
      <Stack>
        <Text size="sm">
          A group is named by its innermost frames up to the first one of the app. Rules say which frames belong to the
          app, to the system, or to nobody. The first rule that fits a frame decides. Groups that were merged or split
          by hand stay so.
        </Text>
        {rules.length === 0 ? (
          <Text c="dimmed">No rules. The app’s own images and classes are found without any.</Text>
        ) : (
          <List label="Rules">
            {rules.map(({ kind, pattern }, place) => (
              <ListRow
                key={`${place} ${kind} ${pattern}`}
                title={<code className="break">{pattern}</code>}
                sub={`Frames like this ${kinds.find(({ value }) => value === kind)?.label ?? kind}`}
                actions={
                  canWrite && (
                    <ActionIcon
                      variant="default"
                      aria-label={`Remove the rule ${pattern}`}
                      onClick={() => setRules(rules.filter((_rule, other) => other !== place))}
                    >
                      <X size={16} />
                    </ActionIcon>
                  )
                }
              />
            ))}
          </List>
        )}
        {canWrite && <NewRule rules={rules} onAdd={(rule) => setRules([...rules, rule])} />}
        <ErrorNotice error={save.error} />
        {canWrite && (
          <Group>
            <Button disabled={!isChanged} loading={save.isPending} onClick={() => save.mutate()}>
              Save the rules
            </Button>
            {isChanged && (
              <Button variant="default" onClick={() => setRules(data.rules)}>
                Discard the changes
              </Button>
            )}
          </Group>
        )}
      </Stack>
    </Panel>
  )
}

function NewRule({ rules, onAdd }: { rules: readonly CrashRule[]; onAdd: (rule: CrashRule) => void }) {
  const [kind, setKind] = useState<CrashRule['kind']>('app')
  const [text, setText] = useState('')
  const pattern = text.trim()
  const isKnown = rules.some((rule) => rule.kind === kind && rule.pattern === pattern)
  const isReady = pattern !== '' && !isKnown && rules.length < maxRules
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isReady) return
    onAdd({ kind, pattern })
    setText('')
  }
  return (
    <form onSubmit={submit}>
      <Group align="flex-end">
        <TextInput
          label="Frames like"
          placeholder="com.example.net.*"
          maxLength={300}
          flex="1 1 14rem"
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <NativeSelect
          aria-label="What these frames are"
          value={kind}
          onChange={({ currentTarget: { value } }) => setKind(kinds.find((one) => one.value === value)?.value ?? 'app')}
          data={kinds}
        />
        <Button type="submit" variant="default" leftSection={<Plus size={16} />} disabled={!isReady}>
          Add
        </Button>
      </Group>
    </form>
  )
}
