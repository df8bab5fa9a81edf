import { AlertKind, type AlertRule } from '@fairlead/contract'
import { Group, NativeSelect, NumberInput, Stack, Switch, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { client } from '../api/client.ts'
import { useCan } from '../api/session.ts'
import { Dialog } from '../ui/Dialog.tsx'
import { DialogButtons } from '../ui/DialogButtons.tsx'
import { ErrorNotice } from '../ui/ErrorNotice.tsx'
import { toFieldErrors } from '../ui/field-errors.ts'
import { tell } from '../ui/tell.ts'
import { hasBranch, isMeasured, isRate, kindNames } from './alert-words.ts'
import { ReceiverFields } from './ReceiverFields.tsx'
import { type RuleValues, toRequest, toValues } from './rule-values.ts'

interface DialogProps {
  applicationId: number
  /** The rule to change; a new one is made without it. */
  rule?: AlertRule
  onClose: () => void
}

/** Makes or changes an alert rule. */
export function AlertRuleDialog({ applicationId, rule, onClose }: DialogProps) {
  const isAdmin = useCan('admin')
  const form = useForm<RuleValues>({ initialValues: toValues(rule) })
  const save = useMutation({
    mutationFn: (values: RuleValues) => {
      const { kind, ...changes } = toRequest(values, isAdmin)
      return rule
        ? client.alerts.updateRule(rule.id, changes)
        : client.alerts.createRule(applicationId, { kind, ...changes })
    },
    onSuccess: () => {
      tell(rule ? 'The rule is changed' : 'The rule is there')
      onClose()
    },
  })
  const errors = toFieldErrors(save.error)
  const { kind } = form.values
  const number = (field: 'threshold' | 'windowMinutes' | 'minimum' | 'digestMinutes' | 'cooldownMinutes') => ({
    ...form.getInputProps(field),
    error: errors[field],
    required: true,
  })
  return (
    <Dialog onClose={onClose} isBusy={save.isPending} title={rule ? 'Change the rule' : 'New rule'}>
      <form onSubmit={form.onSubmit((values) => save.mutate(values))}>
        <Stack>
          <TextInput
            label="Name"
            required
            maxLength={200}
            data-autofocus
            {...form.getInputProps('name')}
            error={errors['name']}
          />
          <NativeSelect
            label="Tells of"
            data={AlertKind.options.map((value) => ({ value, label: kindNames[value] }))}
            disabled={rule !== undefined}
            {...form.getInputProps('kind')}
            error={errors['kind']}
          />
          {isMeasured(kind) && (
            <>
              <NumberInput
                label={isRate(kind) ? (kind === 'flakyRate' ? 'More than (%)' : 'Fewer than (%)') : 'From'}
                min={0}
                allowNegative={false}
                {...number('threshold')}
              />
              <NumberInput
                label="Within (minutes)"
                description="5 minutes to 7 days (10,080)"
                {...number('windowMinutes')}
              />
            </>
          )}
          {isRate(kind) && (
            <NumberInput
              label={kind === 'crashFreeRate' ? 'From at least so many sessions' : 'From at least so many test cases'}
              {...number('minimum')}
            />
          )}
          {hasBranch(kind) && (
            <TextInput
              label="Branch"
              description={kind === 'testVerdict' ? 'Left empty, the default branch' : 'Left empty, every branch'}
              maxLength={500}
              {...form.getInputProps('branch')}
              error={errors['branch']}
            />
          )}
          <ReceiverFields form={form} errors={errors} />
          <NumberInput
            label="Mails wait for others (minutes)"
            description="0: they are sent at once"
            {...number('digestMinutes')}
          />
          <Switch label="No mails at night" {...form.getInputProps('isQuiet', { type: 'checkbox' })} />
          {form.values.isQuiet && (
            <Group grow align="start">
              <TextInput
                type="time"
                label="From"
                required
                {...form.getInputProps('from')}
                error={errors['quietHours.from']}
              />
              <TextInput
                type="time"
                label="To"
                required
                {...form.getInputProps('to')}
                error={errors['quietHours.to']}
              />
              <TextInput
                label="Time zone"
                required
                maxLength={100}
                {...form.getInputProps('timeZone')}
                error={errors['quietHours.timeZone']}
              />
            </Group>
          )}
          <NumberInput
            label="Silent after an alert (minutes)"
            description={isMeasured(kind) || kind === 'testVerdict' ? undefined : 'About the same crash group'}
            {...number('cooldownMinutes')}
          />
          <ErrorNotice error={save.error} fields={Object.keys(form.values)} />
          <DialogButtons action={rule ? 'Save' : 'Create'} isBusy={save.isPending} onCancel={onClose} />
        </Stack>
      </form>
    </Dialog>
  )
}
