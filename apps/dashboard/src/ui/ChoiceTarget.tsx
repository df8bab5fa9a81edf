import { Button, type ButtonProps } from '@mantine/core'
import { ChevronDown } from 'lucide-react'
import type { ComponentPropsWithRef } from 'react'

export interface ChoiceTargetProps
  extends Omit<ButtonProps, 'size' | 'children'>, Omit<ComponentPropsWithRef<'button'>, keyof ButtonProps | 'name'> {
  /** The label of the button, such as the current choice. */
  text: string
  /** The name for screen readers, which contains the text; missing where the text says enough. */
  name?: string | undefined
  size?: 'xs' | 'sm' | undefined
}

/** The button of a menu of choices. */
export function ChoiceTarget({ text, name, size = 'sm', ...props }: ChoiceTargetProps) {
  return (
    <Button
      variant="default"
      size={size}
      aria-label={name}
      rightSection={<ChevronDown size={size === 'xs' ? 14 : 15} aria-hidden />}
      {...props}
    >
      {text}
    </Button>
  )
}
