import { Menu } from '@mantine/core'
import { Check } from 'lucide-react'
import { ChoiceTarget, type ChoiceTargetProps } from './ChoiceTarget.tsx'
import { useOpeningMenu } from './use-opening-menu.ts'

export interface ChoiceMenuProps extends Pick<ChoiceTargetProps, 'text' | 'name' | 'size'> {
  choices: readonly { value: string; label: string }[]
  /** The current choice, which is ticked; null where there is none. */
  value: string | null
  onChoose: (value: string) => void
}

/** Opens at once, with the current choice in focus. Its place is fixed, so that no list around it cuts it off. */
export function ChoiceMenu({ choices, value, onChoose, ...target }: ChoiceMenuProps) {
  const { button, menu } = useOpeningMenu()
  return (
    <Menu position="bottom-start" shadow="md" floatingStrategy="fixed" {...menu}>
      <Menu.Target>
        <ChoiceTarget ref={button} {...target} />
      </Menu.Target>
      <Menu.Dropdown mah="18rem" style={{ overflowY: 'auto' }}>
        <Menu.RadioGroup value={value} onChange={onChoose}>
          {choices.map((choice) => (
            <Menu.RadioItem
              key={choice.value}
              value={choice.value}
              closeMenuOnClick
              checkIcon={<Check size={14} aria-hidden />}
              data-autofocus={choice.value === value || undefined}
            >
              {choice.label}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  )
}
