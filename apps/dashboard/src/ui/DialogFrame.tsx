import { Modal, type ModalProps, VisuallyHidden } from '@mantine/core'

interface DialogFrameProps extends Omit<ModalProps, 'opened'> {
  isBusy: boolean
}

/** Renders the frame of a dialog. `Dialog` loads this script when the first dialog opens. */
export function DialogFrame({ isBusy, children, ...props }: DialogFrameProps) {
  return (
    <Modal opened {...props} returnFocus={false}>
      {children}
      <VisuallyHidden role="status">{isBusy && 'Working…'}</VisuallyHidden>
    </Modal>
  )
}
