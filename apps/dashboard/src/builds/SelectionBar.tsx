import type { Build } from '@fairlead/contract'
import { Button, Group, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Send, Trash2, X } from 'lucide-react'
import { client } from '../api/client.ts'
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx'
import { formatCount } from '../ui/format.ts'
import { tell } from '../ui/tell.ts'
import { doInBulk } from './in-bulk.ts'
import classes from './selection-bar.module.css'
import { lazyDialog } from '../ui/lazy-part.tsx'

const DistributeDialog = lazyDialog(async () => (await import('./DistributeDialog.tsx')).DistributeDialog)

interface SelectionBarProps {
  builds: Build[]
  onClear: () => void
}

/** Offers the actions on the selected builds. It stays in sight at the bottom of the list. */
export function SelectionBar({ builds, onClear }: SelectionBarProps) {
  const [isDistributing, distribution] = useDisclosure()
  const [isDeleting, deletion] = useDisclosure()
  const remove = async () => {
    await doInBulk(builds, 'deleted', ({ id }) => client.builds.remove(id))
    tell(`${formatCount(builds.length, 'build')} deleted`)
    onClear()
  }
  const isExpired = builds.some((build) => build.isExpired)
  return (
    <section className={classes['root']} aria-label="Selected builds">
      <Group gap="xs">
        <Text size="sm" fw={600} role="status" flex={1} miw="6rem">
          {builds.length} selected
        </Text>
        <Button
          size="compact-sm"
          leftSection={<Send size={15} />}
          onClick={distribution.open}
          disabled={isExpired}
          {...(isExpired && { title: 'The install link of a selected build has expired' })}
        >
          Distribute
        </Button>
        <Button size="compact-sm" variant="default" leftSection={<Trash2 size={15} />} onClick={deletion.open}>
          Delete
        </Button>
        <Button size="compact-sm" variant="subtle" leftSection={<X size={15} />} onClick={onClear}>
          Clear
        </Button>
      </Group>
      {isDistributing && <DistributeDialog builds={builds} onClose={distribution.close} onDone={onClear} />}
      {isDeleting && (
        <ConfirmDialog
          title={`Delete ${formatCount(builds.length, 'build')}`}
          action="Delete them"
          onConfirm={remove}
          onClose={deletion.close}
        >
          They will be deleted for good, and their install links stop working:
          <ul className={classes['list']}>
            {builds.slice(0, 10).map(({ id, number, shortVersion, version }) => (
              <li key={id}>
                {shortVersion} ({version}), #{number}
              </li>
            ))}
          </ul>
          {builds.length > 10 && `and ${builds.length - 10} more.`}
        </ConfirmDialog>
      )}
    </section>
  )
}
