import type { CrashKey, MissingSymbols } from '@fairlead/contract'
import { Button, Group, Stack, Text } from '@mantine/core'
import { useMutation, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { client } from '../api/client.ts'
import { useCan } from '../api/session.ts'
import { CopyField } from '../ui/CopyField.tsx'
import { ErrorNotice } from '../ui/ErrorNotice.tsx'
import { formatCount } from '../ui/format.ts'
import { List, ListRow } from '../ui/ListRow.tsx'
import { Panel } from '../ui/Panel.tsx'
import { tell, tellFailure } from '../ui/tell.ts'
import { crashKeysQuery, missingSymbolsQuery } from './queries.ts'
import { toReleaseText } from './release-text.ts'

const route = getRouteApi('/shell/applications/$applicationId/crash-set-up')

export function CrashSetUpPage() {
  const { applicationId } = route.useParams()
  const isAdmin = useCan('admin')
  const { data: missing } = useSuspenseQuery(missingSymbolsQuery(applicationId))
  return (
    <Stack gap="lg">
      {isAdmin ? <Keys applicationId={applicationId} /> : <Text>An administrator can see the crash keys.</Text>}
      <Panel title="What is kept">
        <Text size="sm">
          Crashes are kept for 90 days, counts until the application is deleted. E-mail and IP addresses, user names,
          request data, environment variables, preferences and logs are never stored; e-mail addresses, IP addresses,
          tokens, card numbers and home folders in messages are masked. Of an installation’s id only a hash is kept.
        </Text>
      </Panel>
      {missing.length > 0 && (
        <Panel title="Missing symbols">
          <List label="Missing symbols">
            {missing.map((one) => (
              <ListRow
                key={`${one.kind} ${one.uuid} ${toReleaseText(one)}`}
                title={toSymbolsText(one)}
                sub={one.uuid ?? undefined}
                side={`${formatCount(one.crashCount, 'crash', 'crashes')} wait`}
              />
            ))}
          </List>
        </Panel>
      )}
    </Stack>
  )
}

function toSymbolsText(missing: MissingSymbols): string {
  const what = missing.kind === 'proguard' ? 'The mapping' : `The dSYM of ${missing.name ?? 'an image'}`
  return `${what}, seen in ${toReleaseText(missing)}`
}

function Keys({ applicationId }: { applicationId: number }) {
  const { data: keys, error } = useQuery(crashKeysQuery(applicationId))
  const create = useMutation({
    mutationFn: () => client.crashes.createKey(applicationId, 'Apps'),
    onSuccess: () => tell('The crash key is ready'),
    onError: tellFailure,
  })
  if (error) return <ErrorNotice error={error} />
  return (
    <Panel
      title="Crash keys"
      actions={
        <Button leftSection={<Plus size={16} />} loading={create.isPending} onClick={() => create.mutate()}>
          New crash key
        </Button>
      }
    >
      <Stack>
        <Text size="sm">Apps send their crashes with a key, which cannot read anything.</Text>
        {keys?.map((key) => (
          <KeyLines key={key.id} applicationId={applicationId} crashKey={key} />
        ))}
      </Stack>
    </Panel>
  )
}

/** The lines to copy, one for each SDK. */
function KeyLines({ applicationId, crashKey }: { applicationId: number; crashKey: CrashKey }) {
  const toggle = useMutation({
    mutationFn: () => client.crashes.updateKey(applicationId, crashKey.id, { isEnabled: !crashKey.isEnabled }),
    onError: tellFailure,
  })
  return (
    <Stack gap="xs">
      <Group justify="space-between">
        <Text fw={580}>
          {crashKey.name}
          {!crashKey.isEnabled && ' (disabled)'}
        </Text>
        <Button variant="default" size="xs" loading={toggle.isPending} onClick={() => toggle.mutate()}>
          {crashKey.isEnabled ? 'Disable' : 'Enable'}
        </Button>
      </Group>
      <CopyField label="Sentry: the DSN" value={crashKey.sentryDsn} />
      <CopyField label="App Center: setLogUrl, before start" value={crashKey.appCenterLogUrl} />
      <CopyField label="App Center: the app secret" value={crashKey.key} />
      <CopyField label="ACRA: the uri of the HTTP sender" value={crashKey.acraUrl} />
    </Stack>
  )
}
