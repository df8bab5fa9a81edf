import type { Tester } from '@fairlead/contract'
import { Button, Group, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { client, queryClient } from '../api/client.ts'
import { CopyField } from '../ui/CopyField.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { ErrorNotice } from '../ui/ErrorNotice.tsx'
import { tell } from '../ui/tell.ts'

/** Shows the address of a tester's page, and gives it another one. */
export function TesterPageDialog({ tester, onClose }: { tester: Tester; onClose: () => void }) {
  const [shown, setShown] = useState(tester)
  const renew = useMutation({
    mutationFn: () => client.testers.renewLink(tester.id),
    onSuccess: (renewed) => {
      setShown(renewed)
      tell('The page has a new address')
      void queryClient.invalidateQueries({ queryKey: ['testers'] })
      void queryClient.invalidateQueries({ queryKey: ['groups'] })
    },
  })
  return (
    <Dialog onClose={onClose} isBusy={renew.isPending} title="The tester’s page">
      <Stack>
        <Text size="sm">
          Lists all builds that <b className="break">{tester.email}</b> can install, and turns mails off and on. It
          opens without an account, so give the address to this person only.
        </Text>
        <CopyField label="Address" value={shown.pageUrl ?? ''} />
        <Text size="sm" c="dimmed">
          A new address ends this one. Install links in older mails then show their builds to anybody, without a name.
        </Text>
        <ErrorNotice error={renew.error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={() => renew.mutate()} loading={renew.isPending}>
            Renew the address
          </Button>
          <Button onClick={onClose} disabled={renew.isPending}>
            Close
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
