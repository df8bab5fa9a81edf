import type { Hook } from '@fairlead/contract'
import { Badge, Button, Group, Stack, Text } from '@mantine/core'
import { useMutation, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { client } from '../api/client.ts'
import { applicationsQuery } from '../applications/queries.ts'
import { Breadcrumb } from '../ui/Breadcrumb.tsx'
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx'
import { Facts } from '../ui/Facts.tsx'
import { lazyDialog, lazyPart } from '../ui/lazy-part.tsx'
import { PageHeader } from '../ui/PageHeader.tsx'
import { Panel } from '../ui/Panel.tsx'
import { tell, tellFailure } from '../ui/tell.ts'
import { When } from '../ui/When.tsx'
import { formatNames, includeNames, toHookState } from './hook-words.ts'
import { HookDeliveries } from './HookDeliveries.tsx'
import { hookQuery } from './queries.ts'

const HookDialog = lazyDialog(async () => (await import('./HookDialog.tsx')).HookDialog)
// Escape does not close it, because the secret is shown only once.
const SecretDialog = lazyPart(async () => (await import('./HookDialog.tsx')).SecretDialog)

const route = getRouteApi('/shell/hooks/$hookId')

export function HookPage() {
  const { hookId } = route.useParams()
  const { data: hook } = useSuspenseQuery(hookQuery(hookId))
  const state = toHookState(hook)
  return (
    <>
      <Breadcrumb>
        <Link to="/hooks">Hooks</Link>
      </Breadcrumb>
      <PageHeader
        title={hook.name}
        description={
          <Badge variant="dot" color={state.color}>
            {state.label}
          </Badge>
        }
      >
        <HookActions hook={hook} />
      </PageHeader>
      <Stack gap="lg">
        <Panel title="Settings">
          <Facts
            facts={[
              ['Receiver', formatNames[hook.format]],
              ['Address', hook.url],
              ['Events', hook.events.includes('*') ? 'All but installs' : hook.events.join(', ')],
              ['Applications', <HookApplications key="applications" ids={hook.applicationIds} />],
              ['Also sends', hook.includes.map((include) => includeNames[include]).join('; ')],
              ['Last success', hook.lastSuccessDate && <When date={hook.lastSuccessDate} />],
              ['Last failure', hook.lastFailureDate && <When date={hook.lastFailureDate} />],
              ['Waiting', hook.waitingCount === 0 ? null : hook.waitingCount],
              ['Made by', hook.createdBy],
            ]}
          />
          {!hook.isEnabled && (
            <Text c="dimmed" size="sm" mt="sm">
              A hook that is turned on again sends only what comes from then on. “Send again what failed” sends what it
              missed.
            </Text>
          )}
        </Panel>
        <HookDeliveries hook={hook} />
      </Stack>
    </>
  )
}

/** Names the applications whose events a hook is told of. */
function HookApplications({ ids }: { ids: Hook['applicationIds'] }) {
  const { data: applications } = useQuery(applicationsQuery)
  if (ids === null) return 'All'
  return ids.map((id) => applications?.find((one) => one.id === id)?.name ?? `Application ${id}`).join(', ')
}

type Open = 'change' | 'rotate' | 'delete' | null

function HookActions({ hook }: { hook: Hook }) {
  const navigate = useNavigate()
  const [open, setOpen] = useState<Open>(null)
  const [secret, setSecret] = useState<string | null>(null)
  const { id, isEnabled } = hook
  const test = useMutation({
    mutationFn: () => client.hooks.test(id),
    onSuccess: () => tell('A test is on its way'),
    onError: tellFailure,
  })
  const turn = useMutation({
    mutationFn: () => client.hooks.update(id, { isEnabled: !isEnabled }),
    onSuccess: () => tell(isEnabled ? 'The hook is off' : 'The hook is on'),
    onError: tellFailure,
  })
  const close = () => setOpen(null)
  return (
    <Group gap="xs">
      {isEnabled && (
        <Button onClick={() => test.mutate()} loading={test.isPending}>
          Send a test
        </Button>
      )}
      <Button variant="default" onClick={() => setOpen('change')}>
        Change
      </Button>
      <Button variant="default" onClick={() => turn.mutate()} loading={turn.isPending}>
        {isEnabled ? 'Turn off' : 'Turn on'}
      </Button>
      {hook.format === 'standard' && (
        <Button variant="default" onClick={() => setOpen('rotate')}>
          New secret
        </Button>
      )}
      <Button variant="default" onClick={() => setOpen('delete')}>
        Delete
      </Button>
      {open === 'change' && <HookDialog hook={hook} onClose={close} />}
      {open === 'rotate' && (
        <ConfirmDialog
          title="Give the hook a new secret"
          action="New secret"
          onConfirm={async () => setSecret((await client.hooks.rotateSecret(id, {})).secret)}
          onClose={close}
        >
          Deliveries are signed with both secrets for a day, so that the receiver can change over.
        </ConfirmDialog>
      )}
      {secret !== null && <SecretDialog title={hook.name} secret={secret} onClose={() => setSecret(null)} />}
      {open === 'delete' && (
        <ConfirmDialog
          title="Delete the hook"
          action="Delete it"
          onConfirm={async () => {
            await client.hooks.delete(id)
            await navigate({ to: '/hooks' })
          }}
          onClose={close}
        >
          <b className="break">{hook.name}</b> and its log are deleted, and what waits is not sent.
        </ConfirmDialog>
      )}
    </Group>
  )
}
