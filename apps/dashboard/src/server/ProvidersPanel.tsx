import type { ServerProvider } from '@fairlead/contract'
import { Badge, Group, Skeleton, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { CopyField } from '../ui/CopyField.tsx'
import { ErrorNotice } from '../ui/ErrorNotice.tsx'
import { formatCount } from '../ui/format.ts'
import { When } from '../ui/When.tsx'
import { serverProvidersQuery } from './queries.ts'

/** The providers in the settings: whether they answer, and the addresses to register there. */
export function ProvidersPanel() {
  const providers = useQuery(serverProvidersQuery)
  if (providers.isPending) return <Skeleton h={60} />
  return (
    <Stack gap="xl">
      <ErrorNotice error={providers.error} />
      {providers.data?.length === 0 && (
        <Text size="sm" c="dimmed">
          People sign in with passwords only. FAIRLEAD_OIDC_PROVIDERS adds OpenID providers.
        </Text>
      )}
      {providers.data?.map((provider) => (
        <Provider key={provider.key} provider={provider} />
      ))}
    </Stack>
  )
}

function Provider({ provider }: { provider: ServerProvider }) {
  const { name, issuer, isReachable, error, identityCount, lastSignInDate, domains } = provider
  return (
    <Stack gap="xs">
      <Group gap={8}>
        <Title order={3}>{name}</Title>
        <Badge color={isReachable ? 'green' : 'red'}>{isReachable ? 'Answers' : 'Does not answer'}</Badge>
      </Group>
      <Text size="sm" className="break">
        {issuer} · {domains.length === 0 ? 'makes no accounts' : domains.join(', ')} ·{' '}
        {formatCount(identityCount, 'person', 'people')}
        {lastSignInDate !== null && (
          <>
            {' '}
            · last sign-in <When date={lastSignInDate} />
          </>
        )}
      </Text>
      {error !== null && (
        <Text size="sm" c="red" className="break">
          {error}
        </Text>
      )}
      <CopyField label="Redirect URI" value={provider.callbackUrl} />
      <CopyField label="After signing out" value={provider.afterSignOutUrl} />
      <CopyField label="Back-channel logout" value={provider.backChannelLogoutUrl} />
    </Stack>
  )
}
