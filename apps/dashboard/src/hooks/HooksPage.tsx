import type { Hook } from '@fairlead/contract'
import { Badge, Button, Group, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Plus, Webhook } from 'lucide-react'
import { EmptyState } from '../ui/EmptyState.tsx'
import { lazyDialog } from '../ui/lazy-part.tsx'
import { List, ListRow, rowLink } from '../ui/ListRow.tsx'
import { PageHeader } from '../ui/PageHeader.tsx'
import { When } from '../ui/When.tsx'
import { formatNames, toHookState } from './hook-words.ts'
import { hooksQuery } from './queries.ts'

const HookDialog = lazyDialog(async () => (await import('./HookDialog.tsx')).HookDialog)

export function HooksPage() {
  const { data: hooks } = useSuspenseQuery(hooksQuery)
  const [isCreating, dialog] = useDisclosure()
  const createButton = (
    <Button leftSection={<Plus size={16} />} onClick={dialog.open}>
      New hook
    </Button>
  )
  return (
    <>
      <PageHeader
        title="Hooks"
        description="Other systems and chats are told when something happens, with signed requests or messages."
      >
        {hooks.length > 0 && createButton}
      </PageHeader>
      {hooks.length === 0 ? (
        <EmptyState icon={Webhook} title="No hooks">
          <Text c="dimmed">A hook tells CI or a chat of uploads, crashes and verdicts.</Text>
          {createButton}
        </EmptyState>
      ) : (
        <List label="Hooks">
          {hooks.map((hook) => (
            <HookRow key={hook.id} hook={hook} />
          ))}
        </List>
      )}
      {isCreating && <HookDialog onClose={dialog.close} />}
    </>
  )
}

function HookRow({ hook }: { hook: Hook }) {
  const { id, name, url, format, waitingCount, lastSuccessDate } = hook
  const state = toHookState(hook)
  return (
    <ListRow
      title={
        <Group gap={8}>
          <Link to="/hooks/$hookId" params={{ hookId: id }} className={rowLink}>
            {name}
          </Link>
          <Badge variant="dot" color={state.color}>
            {state.label}
          </Badge>
        </Group>
      }
      sub={
        <>
          {formatNames[format]} · {URL.parse(url)?.host}
          {waitingCount > 0 && ` · ${waitingCount} waiting`}
        </>
      }
      side={
        lastSuccessDate === null ? (
          'Never delivered'
        ) : (
          <>
            Delivered <When date={lastSuccessDate} />
          </>
        )
      }
    />
  )
}
