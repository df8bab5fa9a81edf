import type { Tester } from '@fairlead/contract'
import { Button, Group, NativeSelect, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { CopyField } from '../ui/CopyField.tsx'
import { Dialog } from '../ui/Dialog.tsx'

/** Shows the page on which a tester adds a device. */
export function AskTesterDialog({ testers, onClose }: { testers: Tester[]; onClose: () => void }) {
  const asked = testers.filter(({ pageUrl }) => pageUrl !== null)
  const [id, setId] = useState(asked[0]?.id)
  const tester = asked.find((one) => one.id === id)
  return (
    <Dialog onClose={onClose} title="Add a device">
      <Stack>
        <Text size="sm">
          A tester opens the own page on the iPhone or iPad, taps “Add this iPhone or iPad”, and installs the profile in
          Settings. No computer is needed.
        </Text>
        {tester ? (
          <>
            <NativeSelect
              label="Tester"
              value={String(tester.id)}
              onChange={(event) => setId(Number(event.currentTarget.value))}
              data={asked.map(({ id: value, email }) => ({ value: String(value), label: email }))}
            />
            <CopyField
              label="Link"
              description="It is the page of this person: give it to nobody else"
              value={tester.pageUrl ?? ''}
            />
          </>
        ) : (
          <Text size="sm" c="dimmed">
            The workspace has no testers yet: add them to a group first.
          </Text>
        )}
        <Group justify="flex-end">
          <Button onClick={onClose}>Close</Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
