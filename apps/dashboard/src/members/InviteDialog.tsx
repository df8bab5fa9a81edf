import type { CreateInvitation, Invitation, Role } from '@fairlead/contract'
import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { client } from '../api/client.ts'
import { CopyField } from '../ui/CopyField.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { DialogButtons } from '../ui/DialogButtons.tsx'
import { ErrorNotice } from '../ui/ErrorNotice.tsx'
import { toFieldErrors } from '../ui/field-errors.ts'
import { RoleSelect } from '../ui/RoleSelect.tsx'

export function InviteDialog({ onClose }: { onClose: () => void }) {
  const form = useForm<{ email: string; role: Role }>({ initialValues: { email: '', role: 'developer' } })
  const invite = useMutation({
    mutationFn: (body: CreateInvitation) => client.members.invite(body),
    onError: (error) => form.setErrors(toFieldErrors(error)),
  })
  if (invite.data) return <Invited invitation={invite.data} onClose={onClose} />
  return (
    <Dialog onClose={onClose} isBusy={invite.isPending} title="Invite to the workspace">
      <form onSubmit={form.onSubmit((values) => invite.mutate(values))}>
        <Stack>
          <TextInput label="E-mail address" type="email" required data-autofocus {...form.getInputProps('email')} />
          <RoleSelect {...form.getInputProps('role')} />
          <ErrorNotice error={invite.error} fields={Object.keys(form.values)} />
          <DialogButtons action="Invite" isBusy={invite.isPending} onCancel={onClose} />
        </Stack>
      </form>
    </Dialog>
  )
}

function Invited({ invitation, onClose }: { invitation: Invitation; onClose: () => void }) {
  const hasNoLink = invitation.inviteUrl === null
  return (
    <Dialog onClose={onClose} title="Invited" closeOnClickOutside={hasNoLink} closeOnEscape={hasNoLink}>
      <Stack>
        <Text size="sm">
          {invitation.inviteUrl === null ? (
            <>
              A mail to <b className="break">{invitation.email}</b> is on its way. Only it has the link.
            </>
          ) : (
            <>
              No mail server is set, so hand this link over to <b className="break">{invitation.email}</b> yourself. It
              is shown only now.
            </>
          )}
        </Text>
        {invitation.inviteUrl !== null && <CopyField label="Invitation link" value={invitation.inviteUrl} />}
        <Group justify="flex-end">
          <Button onClick={onClose}>Done</Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
