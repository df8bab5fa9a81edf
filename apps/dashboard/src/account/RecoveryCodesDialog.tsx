import { Button, Group, Stack, Text } from '@mantine/core'
import { CodeBlock } from '../ui/CodeBlock.tsx'
import { Dialog } from '../ui/Dialog.tsx'

/** Shows recovery codes, which the server never shows again. */
export function RecoveryCodesDialog({ codes, onClose }: { codes: string[]; onClose: () => void }) {
  return (
    <Dialog onClose={onClose} title="Keep your recovery codes" closeOnClickOutside={false}>
      <Stack>
        <Text size="sm">
          Each signs in once in place of a code of the app, for when the phone is lost. They are shown only now.
        </Text>
        <CodeBlock label="Recovery codes" code={codes.join('\n')} />
        <Group justify="flex-end">
          <Button onClick={onClose}>I have kept them</Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
