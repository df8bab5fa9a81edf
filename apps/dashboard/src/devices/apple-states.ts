import type { AppleState } from '@fairlead/contract'

/** The label and the color of each state of a device's registration at Apple. */
export const appleStates: Record<AppleState, { label: string; color: string }> = {
  none: { label: 'Not registered', color: 'gray' },
  waiting: { label: 'Being registered', color: 'gray' },
  processing: { label: 'Apple is processing it', color: 'gray' },
  registered: { label: 'Registered at Apple', color: 'green' },
  refused: { label: 'Refused by Apple', color: 'orange' },
}
