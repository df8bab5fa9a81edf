import { Button, Menu } from '@mantine/core'
import { useMergedRef } from '@mantine/hooks'
import { ChevronDown } from 'lucide-react'
import type { RefObject } from 'react'
import { useOpeningMenu } from '../ui/use-opening-menu.ts'
import { formatCount } from '../ui/format.ts'

/** The lengths of a quarantine that the menu offers, in days. The last one is the longest that the server accepts. */
const lengths = [1, 3, 7, 14]

interface QuarantineMenuProps {
  /** Is given the button of the menu. */
  buttonRef: RefObject<HTMLButtonElement | null>
  onChoose: (days: number) => void
}

export function QuarantineMenu({ buttonRef, onChoose }: QuarantineMenuProps) {
  const { button, menu } = useOpeningMenu()
  const ref = useMergedRef(button, buttonRef)
  return (
    <Menu position="bottom-end" shadow="md" {...menu}>
      <Menu.Target>
        <Button ref={ref} variant="default" rightSection={<ChevronDown size={15} aria-hidden />}>
          Quarantine
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {lengths.map((days) => (
          <Menu.Item key={days} onClick={() => onChoose(days)}>
            For {formatCount(days, 'day')}…
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
