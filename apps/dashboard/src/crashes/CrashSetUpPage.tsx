import type { CrashKey } from '@fairlead/contract'
import { Button, Group, NativeSelect, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useMutation, useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { client } from '../api/client.ts'
import { useCan } from '../api/session.ts'
import { applicationQuery } from '../applications/queries.ts'
import { NameDialog } from '../ui/NameDialog.tsx'
import { CodeBlock } from '../ui/CodeBlock.tsx'
import { CopyField } from '../ui/CopyField.tsx'
import { Panel } from '../ui/Panel.tsx'
import { tell, tellFailure } from '../ui/tell.ts'
import { When } from '../ui/When.tsx'
import { MissingSymbolsPanel } from './MissingSymbolsPanel.tsx'
import { NotCountedPanel } from './NotCountedPanel.tsx'
import { crashKeysQuery } from './queries.ts'
import { toSetUpLines } from './set-up-lines.ts'

const route = getRouteApi('/shell/applications/$applicationId/crash-set-up')

export function CrashSetUpPage() {
  const { applicationId } = route.useParams()
  const isAdmin = useCan('admin')
  return (
    <Stack gap="lg">
      {isAdmin ? <Keys applicationId={applicationId} /> : <Text>An administrator can see the crash keys.</Text>}
      <MissingSymbolsPanel applicationId={applicationId} />
      <NotCountedPanel applicationId={applicationId} />
      <Panel title="What is kept">
        <Text size="sm">
          Crashes are kept for 90 days, one of each group for as long as the group, counts until the application is
          deleted. E-mail and IP addresses, user names, request data, environment variables, preferences and logs are
          never stored; e-mail addresses, IP addresses, tokens, card numbers and home folders in messages are masked. Of
          an installation’s id only a hash is kept.
        </Text>
      </Panel>
    </Stack>
  )
}

function Keys({ applicationId }: { applicationId: number }) {
  const { data: keys } = useSuspenseQuery(crashKeysQuery(applicationId))
  const [isCreating, dialog] = useDisclosure()
  return (
    <Panel
      title="Crash keys"
      actions={
        <Button leftSection={<Plus size={16} />} onClick={dialog.open}>
          New crash key
        </Button>
      }
    >
      <Stack>
        <Text size="sm">
          Apps send their crashes with a key, which cannot read anything. To change it, create another, ship it, and
          disable the old one.
        </Text>
        {keys.map((key) => (
          <KeyLines key={key.id} applicationId={applicationId} crashKey={key} />
        ))}
        {isCreating && (
          <NameDialog
            title="New crash key"
            action="Create"
            description="What will send its crashes with it, such as the app of one store"
            onSave={async (name) => {
              await client.crashes.createKey(applicationId, name)
              tell('The crash key is ready')
            }}
            onClose={dialog.close}
          />
        )}
      </Stack>
    </Panel>
  )
}

/** Shows a crash key, and the lines to copy for one SDK. */
function KeyLines({ applicationId, crashKey }: { applicationId: number; crashKey: CrashKey }) {
  const { data: application } = useSuspenseQuery(applicationQuery(applicationId))
  const [sdk, setSdk] = useState('')
  const [isRenaming, setRenaming] = useState(false)
  const toggle = useMutation({
    mutationFn: () => client.crashes.updateKey(applicationId, crashKey.id, { isEnabled: !crashKey.isEnabled }),
    onError: tellFailure,
  })
  const all = toSetUpLines(application, crashKey, location.origin)
  const chosen = all.find(({ name }) => name === sdk) ?? all[0]
  return (
    <Stack gap="xs">
      <Group justify="space-between">
        <div>
          <Text fw={580}>
            {crashKey.name}
            {!crashKey.isEnabled && ' (disabled)'}
          </Text>
          <Text size="sm" c="dimmed">
            {crashKey.lastUsedDate === null ? (
              'Not used yet'
            ) : (
              <>
                Last used <When date={crashKey.lastUsedDate} />
              </>
            )}
          </Text>
        </div>
        <Group gap="xs">
          <Button variant="default" size="xs" onClick={() => setRenaming(true)}>
            Rename
          </Button>
          <Button variant="default" size="xs" loading={toggle.isPending} onClick={() => toggle.mutate()}>
            {crashKey.isEnabled ? 'Disable' : 'Enable'}
          </Button>
        </Group>
        {isRenaming && (
          <NameDialog
            title="Rename the crash key"
            action="Rename"
            name={crashKey.name}
            onSave={(name) => client.crashes.updateKey(applicationId, crashKey.id, { name })}
            onClose={() => setRenaming(false)}
          />
        )}
      </Group>
      {crashKey.isEnabled && chosen && (
        <>
          <CopyField label="Sentry: the DSN" value={crashKey.sentryDsn} />
          <NativeSelect
            label="SDK"
            value={chosen.name}
            onChange={(event) => setSdk(event.currentTarget.value)}
            data={all.map(({ name }) => name)}
          />
          <Text size="sm" c="dimmed">
            {chosen.place}
          </Text>
          <CodeBlock label={`the lines for ${chosen.name} with the key ${crashKey.name}`} code={chosen.code} wrap />
        </>
      )}
    </Stack>
  )
}
