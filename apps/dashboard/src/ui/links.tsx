import { Anchor, type AnchorProps, Button, type ButtonProps } from '@mantine/core'
import { createLink } from '@tanstack/react-router'
import type { ComponentPropsWithRef } from 'react'

type Native = Omit<ComponentPropsWithRef<'a'>, keyof ButtonProps | keyof AnchorProps>

/** A button that is a router link. */
export const ButtonLink = createLink((props: ButtonProps & Native) => <Button component="a" {...props} />)

/** A text link that is a router link. */
export const AnchorLink = createLink((props: AnchorProps & Native) => <Anchor {...props} />)
