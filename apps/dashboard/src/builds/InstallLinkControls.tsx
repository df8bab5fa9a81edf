import type { Build } from '@fairlead/contract'
import { Badge, Button, Group } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useCan } from '../api/session.ts'
import { installLinkQuery } from './install-link-query.ts'
import { lazyDialog } from '../ui/lazy-part.tsx'

const InstallLinkDialog = lazyDialog(async () => (await import('./InstallLinkDialog.tsx')).InstallLinkDialog)

/** Shows whether the install link is revoked or protected, and opens the dialog that changes it. */
export function InstallLinkControls({ build }: { build: Build }) {
  const { data: link } = useQuery(installLinkQuery(build.id))
  const [isOpen, dialog] = useDisclosure()
  const mayChange = useCan('developer')
  return (
    <Group gap="xs">
      {link?.isRevoked === true && <Badge color="red">Revoked</Badge>}
      {link?.hasPassword === true && <Badge color="harbor">Password</Badge>}
      {mayChange && (
        <Button size="compact-sm" variant="default" onClick={dialog.open}>
          Change the link
        </Button>
      )}
      {isOpen && <InstallLinkDialog build={build} onClose={dialog.close} />}
    </Group>
  )
}
