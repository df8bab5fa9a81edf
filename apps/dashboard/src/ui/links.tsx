import { Anchor, type AnchorProps, Button, type ButtonProps } from '@mantine/core'
import { createLink } from '@tanstack/react-router'
import type { ComponentPropsWithRef } from 'react'

type Native = Omit<ComponentPropsWithRef<'a'>, keyof ButtonProps | keyof AnchorProps>

/** A link to another page of the dashboard that looks like a button. */
export const ButtonLink = createLink((props: ButtonProps & Native) => <Button component="a" {...props} />)

/** A link to another page of the dashboard, in the theme's text sizes. */
export const AnchorLink = createLink((props: AnchorProps & Native) => <Anchor {...props} />)
