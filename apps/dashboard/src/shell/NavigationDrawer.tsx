import { Drawer } from '@mantine/core'
import { Brand } from './Brand.tsx'
import { Navigation } from './Navigation.tsx'

/** The navigation on a narrow screen. */
export function NavigationDrawer({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <Drawer opened={isOpen} onClose={onClose} size="18rem" title={<Brand />} hiddenFrom="md">
      <Navigation isInDrawer />
    </Drawer>
  )
}
