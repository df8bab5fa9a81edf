import { Modal, type ModalProps, VisuallyHidden } from '@mantine/core'
import { type RefObject, useEffect, useState } from 'react'

interface DialogProps extends Omit<ModalProps, 'opened'> {
  /** Gets the focus after the dialog if the element that opened it was removed, as menu items are. */
  returnFocusTo?: RefObject<HTMLElement | null> | undefined
  /** Whether an answer is awaited. The dialog stays open until then, because it shows the error or the result. */
  isBusy?: boolean
}

/**
 * A dialog that is open as long as it is rendered. When it closes, the focus returns to the element that had it before,
 * or to the content of the page if that element was removed.
 */
export function Dialog({ returnFocusTo, isBusy = false, onClose, children, ...props }: DialogProps) {
  useFocusReturn(returnFocusTo)
  const close = () => {
    if (!isBusy) onClose()
  }
  return (
    <Modal opened {...props} onClose={close} returnFocus={false}>
      {children}
      <VisuallyHidden role="status">{isBusy && 'Working…'}</VisuallyHidden>
    </Modal>
  )
}

function useFocusReturn(other: DialogProps['returnFocusTo']): void {
  const [origin] = useState(() => document.activeElement)
  useEffect(
    () => () => {
      // The focus can only move after the dialog is removed, because its focus trap would take it back.
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
