import { UnstyledButton, type UnstyledButtonProps, VisuallyHidden } from '@mantine/core'
import { ChevronsUpDown } from 'lucide-react'
import type { ComponentPropsWithRef } from 'react'
import classes from './menus.module.css'

interface MenuButtonProps
  extends UnstyledButtonProps, Omit<ComponentPropsWithRef<'button'>, keyof UnstyledButtonProps> {
  /** The subject of the menu, for screen readers. */
  label: string
  /** The name of what is chosen. */
  title: string
  subtitle: string
  isPlain?: boolean
}

/** The button of a menu in the navigation. */
export function MenuButton({ label, title, subtitle, isPlain = false, ...props }: MenuButtonProps) {
  return (
    <UnstyledButton {...props} className={`${classes['button']} ${isPlain ? classes['plain'] : ''}`}>
      <VisuallyHidden>{label}</VisuallyHidden>
      <span className={classes['names']}>
        <span className={classes['name']}>{title}</span>
        <span className={classes['sub']}>{subtitle}</span>
      </span>
      <ChevronsUpDown size={15} aria-hidden />
    </UnstyledButton>
  )
}
