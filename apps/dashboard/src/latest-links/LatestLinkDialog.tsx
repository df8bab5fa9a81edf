import type { CreateLatestLink, LatestLink } from '@fairlead/contract'
import { NativeSelect, Stack, Switch, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQuery } from '@tanstack/react-query'
import { client } from '../api/client.ts'
import { groupsQuery } from '../groups/queries.ts'
import { Dialog } from '../ui/Dialog.tsx'
import { DialogButtons } from '../ui/DialogButtons.tsx'
import { ErrorNotice } from '../ui/ErrorNotice.tsx'
import { toFieldErrors } from '../ui/field-errors.ts'
import { tell } from '../ui/tell.ts'

interface DialogProps {
  applicationId: number
  /** The link to change; a new one is made without it. */
  link?: LatestLink
  onClose: () => void
}

interface Values {
  name: string
  /** `distributed`, `uploaded`, or `group ` and an id. */
  shows: string
  branch: string
  showsOlder: boolean
  isProtected: boolean
  password: string
  lastDay: string
  isRevoked: boolean
}

/** Makes or changes an address that always shows the newest build. */
export function LatestLinkDialog({ applicationId, link, onClose }: DialogProps) {
  const groups = useQuery(groupsQuery)
  const form = useForm<Values>({ initialValues: toValues(link) })
  const save = useMutation({
    mutationFn: (values: Values) =>
      link
        ? client.latestLinks.update(link.id, toRequest(values, link))
        : client.latestLinks.create(applicationId, toRequest(values)),
    onSuccess: () => {
      tell(link ? 'The link is changed' : 'The link is there')
      onClose()
    },
  })
  const errors = toFieldErrors(save.error)
  const options = [
    { value: 'distributed', label: 'The newest that was distributed' },
    ...(groups.data ?? []).map(({ id, name }) => ({ value: `group ${id}`, label: `The newest that ${name} has` })),
    { value: 'uploaded', label: 'The newest that was uploaded' },
  ]
  return (
    <Dialog onClose={onClose} isBusy={save.isPending} title={link ? 'Change the latest link' : 'New latest link'}>
      <form onSubmit={form.onSubmit((values) => save.mutate(values))}>
        <Stack>
          <TextInput
            label="Name"
            description="Where it will stand, such as the wiki"
            required
            maxLength={200}
            data-autofocus
            {...form.getInputProps('name')}
            error={errors['name']}
          />
          <NativeSelect
            label="Shows"
            data={options}
            {...form.getInputProps('shows')}
            error={errors['distributionGroupId'] ?? errors['follows']}
          />
          <TextInput
            label="Branch"
            description="Left empty, builds of every branch count"
            maxLength={500}
            {...form.getInputProps('branch')}
            error={errors['branch']}
          />
          <Switch label="List the ten builds before, too" {...form.getInputProps('showsOlder', { type: 'checkbox' })} />
          <TextInput
            type="date"
            label="Works until the end of"
            description="In universal time (UTC). Left empty, it works until you end it."
            {...form.getInputProps('lastDay')}
            error={errors['expirationDate']}
          />
          <Switch label="Ask for a password" {...form.getInputProps('isProtected', { type: 'checkbox' })} />
          {form.values.isProtected && (
            <TextInput
              label={link?.hasPassword === true ? 'New password' : 'Password of the link'}
              description={link?.hasPassword === true ? 'Left empty, the password stays as it is' : undefined}
              autoComplete="off"
              required={link?.hasPassword !== true}
              minLength={4}
              maxLength={200}
              {...form.getInputProps('password')}
              error={errors['password']}
            />
          )}
          {link && (
            <Switch
              label="Revoke the link"
              description="Nobody can open it, and downloads that it allowed end"
              {...form.getInputProps('isRevoked', { type: 'checkbox' })}
            />
          )}
          <ErrorNotice error={save.error} />
          <DialogButtons action={link ? 'Save' : 'Create'} isBusy={save.isPending} onCancel={onClose} />
        </Stack>
      </form>
    </Dialog>
  )
}

function toValues(link: LatestLink | undefined): Values {
  return {
    name: link?.name ?? '',
    shows: link?.distributionGroup ? `group ${link.distributionGroup.id}` : (link?.follows ?? 'distributed'),
    branch: link?.branch ?? '',
    showsOlder: link?.showsOlder ?? false,
    isProtected: link?.hasPassword ?? false,
    password: '',
    lastDay: link?.expirationDate?.slice(0, 10) ?? '',
    isRevoked: link?.isRevoked ?? false,
  }
}

/** A day that was not touched is not sent, because the link may end at another time of that day. */
function toRequest(values: Values, link?: LatestLink): CreateLatestLink {
  const groupId = /^group (\d+)$/.exec(values.shows)?.[1]
  const hasNewDay = values.lastDay !== (link?.expirationDate?.slice(0, 10) ?? '')
  const expirationDate = values.lastDay === '' ? null : `${values.lastDay}T23:59:59.999Z`
  return {
    name: values.name,
    distributionGroupId: groupId === undefined ? null : Number(groupId),
    branch: values.branch === '' ? null : values.branch,
    follows: values.shows === 'uploaded' ? 'uploaded' : 'distributed',
    showsOlder: values.showsOlder,
    isRevoked: values.isRevoked,
    ...(hasNewDay && { expirationDate }),
    ...(!values.isProtected && { password: null }),
    ...(values.isProtected && values.password !== '' && { password: values.password }),
  }
}
