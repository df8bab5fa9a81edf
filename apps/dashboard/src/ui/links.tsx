import { Anchor, type AnchorProps, Button, type ButtonProps } from '@mantine/core'
import { createLink } from '@tanstack/react-router'
import type { ComponentPropsWithRef } from 'react'

type Native = Omit<ComponentPropsWithRef<'a'>, keyof ButtonProps | keyof AnchorProps>

/** A button that leads to another page of the dashboard. */
export const ButtonLink = createLink((props: ButtonProps & Native) => <Button component="a" {...props} />)

/** A link in running text, in the theme's words and sizes. */
export const AnchorLink = createLink((props: AnchorProps & Native) => <Anchor {...props} />)
