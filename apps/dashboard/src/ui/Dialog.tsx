import { Modal, type ModalProps } from '@mantine/core'
import { type RefObject, useEffect, useState } from 'react'

interface DialogProps extends Omit<ModalProps, 'opened'> {
  /** Where the focus goes afterwards, if what opened the dialog is gone by then, such as an item of a menu. */
  returnFocusTo?: RefObject<HTMLElement | null> | undefined
}

/**
 * A dialog that is open as long as it is rendered. When it is gone the focus returns to where it was, or, if that is
 * gone too, to the content of the page.
 */
export function Dialog({ returnFocusTo, ...props }: DialogProps) {
  useFocusReturn(returnFocusTo)
  return <Modal opened {...props} returnFocus={false} />
}

function useFocusReturn(other: DialogProps['returnFocusTo']): void {
  const [origin] = useState(() => document.activeElement)
  useEffect(
    () => () => {
      // After the dialog's elements are gone: while they are there they hold the focus.
      setTimeout(() => {
        if (document.querySelector('[role="dialog"]') || hasFocusElsewhere()) return
        const target = other?.current ?? origin
        if (isFocusable(target)) target.focus()
        else document.querySelector<HTMLElement>('#main')?.focus({ preventScroll: true })
      })
    },
    [origin, other],
  )
}

function hasFocusElsewhere(): boolean {
  return document.activeElement !== null && document.activeElement !== document.body
}

function isFocusable(element: Element | null): element is HTMLElement {
  return element instanceof HTMLElement && element.isConnected && element !== document.body
}
