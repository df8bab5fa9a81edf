import type { ModalProps } from '@mantine/core'
import { type RefObject, useEffect, useState } from 'react'
import { lazyDialog } from './lazy-part.tsx'

// A page does not wait for the scripts of dialogs; they are loaded as soon as it is idle.
const DialogFrame = lazyDialog(async () => (await import('./DialogFrame.tsx')).DialogFrame)

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
    <DialogFrame {...props} onClose={close} isBusy={isBusy}>
      {children}
    </DialogFrame>
  )
}

/** The element that had the focus before any dialog was open, since a replaced dialog is gone with its elements. */
let opener: Element | null = null

function useFocusReturn(other: DialogProps['returnFocusTo']): void {
  const [origin] = useState(() => {
    if (!document.querySelector('[role="dialog"]')) opener = document.activeElement
    return document.activeElement
  })
  useEffect(
    () => () => {
      // The focus can only move after the dialog is removed, because its focus trap would take it back.
      setTimeout(() => {
        if (document.querySelector('[role="dialog"]') || hasFocusElsewhere()) return
        const target = [other?.current ?? origin, opener].find(isFocusable)
        if (target) target.focus()
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
