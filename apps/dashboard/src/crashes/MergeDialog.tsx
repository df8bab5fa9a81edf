import type { CrashGroup } from '@fairlead/contract'
import { Checkbox, Stack, Text, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { client } from '../api/client.ts'
import { CodeName } from '../ui/CodeName.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { DialogButtons } from '../ui/DialogButtons.tsx'
import { ErrorNotice } from '../ui/ErrorNotice.tsx'
import { formatCount } from '../ui/format.ts'
import { tell } from '../ui/tell.ts'
import { mergeableGroupsQuery } from './queries.ts'

/** Chooses groups of the same application that are merged into one. */
export function MergeDialog({ group, onClose }: { group: CrashGroup; onClose: () => void }) {
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState<readonly number[]>([])
  const { data, error } = useQuery(mergeableGroupsQuery(group.applicationId, text))
  const others = data?.filter(({ id }) => id !== group.id)
  const merge = useMutation({
    mutationFn: () => client.crashes.mergeGroups(group.id, [...chosen]),
    onSuccess: () => {
      tell(`${formatCount(chosen.length, 'group')} merged`)
      onClose()
    },
  })
  const toggle = (id: number) =>
    setChosen(chosen.includes(id) ? chosen.filter((other) => other !== id) : [...chosen, id])
  return (
    <Dialog onClose={onClose} isBusy={merge.isPending} title="Merge groups" size="lg">
      <Stack>
        <Text size="sm">
          The crashes of the chosen groups join this one, and so do later ones like them. The merge outlasts new symbols
          and new rules.
        </Text>
        <TextInput
          label="Search groups"
          placeholder="Exception, method or class"
          maxLength={200}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          data-autofocus
        />
        <ErrorNotice error={error} />
        {others?.length === 0 && <Text c="dimmed">No other group fits.</Text>}
        {others?.map(({ id, title, culprit, crashCount }) => (
          <Checkbox
            key={id}
            checked={chosen.includes(id)}
            onChange={() => toggle(id)}
            label={
              <span className="break">
                <CodeName>{title}</CodeName>
              </span>
            }
            description={
              <span className="break">
                {[culprit, formatCount(crashCount, 'crash', 'crashes')].filter(Boolean).join(' · ')}
              </span>
            }
          />
        ))}
        <ErrorNotice error={merge.error} />
        <DialogButtons
          action={`Merge ${formatCount(chosen.length, 'group')}`}
          isBusy={merge.isPending}
          isReady={chosen.length > 0}
          onAction={() => merge.mutate()}
          onCancel={onClose}
        />
      </Stack>
    </Dialog>
  )
}
