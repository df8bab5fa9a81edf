import type { AlertRule } from '@fairlead/contract'
import { Badge, Button, Group, Stack, Text } from '@mantine/core'
import { useMutation, useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Plus, Siren } from 'lucide-react'
import { useState } from 'react'
import { client } from '../api/client.ts'
import { useCan } from '../api/session.ts'
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { List, ListRow } from '../ui/ListRow.tsx'
import { Panel } from '../ui/Panel.tsx'
import { tell, tellFailure } from '../ui/tell.ts'
import { When } from '../ui/When.tsx'
import { describeLine, describeReceivers, toRuleState } from './alert-words.ts'
import { FiredAlerts } from './FiredAlerts.tsx'
import { alertRulesQuery } from './queries.ts'
import { lazyDialog } from '../ui/lazy-part.tsx'

const AlertRuleDialog = lazyDialog(async () => (await import('./AlertRuleDialog.tsx')).AlertRuleDialog)

const route = getRouteApi('/shell/applications/$applicationId')

type Question = { kind: 'change' | 'delete'; rule: AlertRule } | { kind: 'create' }

/** Lists the rules of an application, and what they told of. */
export function AlertsPage() {
  const { applicationId } = route.useParams()
  const { data: rules } = useSuspenseQuery(alertRulesQuery(applicationId))
  const [question, setQuestion] = useState<Question | null>(null)
  const mayChange = useCan('developer')
  const close = () => setQuestion(null)
  const createButton = mayChange && (
    <Button leftSection={<Plus size={16} />} onClick={() => setQuestion({ kind: 'create' })}>
      New rule
    </Button>
  )
  return (
    <Stack gap="lg">
      <Panel title="Rules" actions={rules.length > 0 && createButton}>
        {rules.length === 0 ? (
          <EmptyState icon={Siren} title="No rules">
            <Text c="dimmed">A rule tells people by mail, and hooks, when something is wrong.</Text>
            {createButton}
          </EmptyState>
        ) : (
          <List label="Rules">
            {rules.map((rule) => (
              <RuleRow
                key={rule.id}
                rule={rule}
                mayChange={mayChange}
                onChange={() => setQuestion({ kind: 'change', rule })}
                onDelete={() => setQuestion({ kind: 'delete', rule })}
              />
            ))}
          </List>
        )}
      </Panel>
      <FiredAlerts applicationId={applicationId} />
      {question?.kind === 'create' && <AlertRuleDialog applicationId={applicationId} onClose={close} />}
      {question?.kind === 'change' && (
        <AlertRuleDialog applicationId={applicationId} rule={question.rule} onClose={close} />
      )}
      {question?.kind === 'delete' && (
        <ConfirmDialog
          title="Delete the rule"
          action="Delete it"
          onConfirm={() => client.alerts.deleteRule(question.rule.id)}
          onClose={close}
        >
          <b className="break">{question.rule.name}</b> tells nobody any more, and mails that wait are not sent. What it
          told of stays in the list.
        </ConfirmDialog>
      )}
    </Stack>
  )
}

interface RowProps {
  rule: AlertRule
  mayChange: boolean
  onChange: () => void
  onDelete: () => void
}

function RuleRow({ rule, mayChange, onChange, onDelete }: RowProps) {
  const { id, name, isEnabled, lastFiredDate } = rule
  const state = toRuleState(rule)
  const turn = useMutation({
    mutationFn: () => client.alerts.updateRule(id, { isEnabled: !isEnabled }),
    onSuccess: () => tell(isEnabled ? 'The rule is off' : 'The rule is on'),
    onError: tellFailure,
  })
  return (
    <ListRow
      title={
        <Group gap={8}>
          <span className="break">{name}</span>
          <Badge variant="dot" color={state.color}>
            {state.label}
          </Badge>
        </Group>
      }
      sub={
        <>
          {describeLine(rule)}
          <br />
          {describeReceivers(rule)}
        </>
      }
      side={
        lastFiredDate !== null && (
          <>
            Fired <When date={lastFiredDate} />
          </>
        )
      }
      actions={
        mayChange && (
          <>
            <Button size="compact-sm" variant="default" onClick={onChange} aria-label={`Change ${name}`}>
              Change
            </Button>
            <Button
              size="compact-sm"
              variant="default"
              loading={turn.isPending}
              onClick={() => turn.mutate()}
              aria-label={`Turn ${isEnabled ? 'off' : 'on'} ${name}`}
            >
              {isEnabled ? 'Turn off' : 'Turn on'}
            </Button>
            <Button size="compact-sm" variant="default" onClick={onDelete} aria-label={`Delete ${name}`}>
              Delete
            </Button>
          </>
        )
      }
    />
  )
}
