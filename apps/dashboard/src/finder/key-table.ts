import type { LinkProps } from '@tanstack/react-router'

/** Pages that are opened by `g` and a letter. Those of an application need one that is open. */
export const pageKeys: Record<string, { title: string; to: NonNullable<LinkProps['to']>; isOfApplication: boolean }> = {
  a: { title: 'Applications', to: '/applications', isOfApplication: false },
  g: { title: 'Groups', to: '/groups', isOfApplication: false },
  p: { title: 'Testers', to: '/testers', isOfApplication: false },
  o: { title: 'Overview', to: '/applications/$applicationId', isOfApplication: true },
  b: { title: 'Builds', to: '/applications/$applicationId/builds', isOfApplication: true },
  c: { title: 'Crashes', to: '/applications/$applicationId/crashes', isOfApplication: true },
  t: { title: 'Tests', to: '/applications/$applicationId/tests', isOfApplication: true },
  f: { title: 'Feedback', to: '/applications/$applicationId/feedback', isOfApplication: true },
}

const storageKey = 'fairlead-single-keys'

/** Single letters also come from speech input by mistake, so they can be turned off (WCAG 2.1.4). */
export function areSingleKeysOn(): boolean {
  return localStorage.getItem(storageKey) !== 'off'
}

export function turnSingleKeys(isOn: boolean): void {
  if (isOn) localStorage.removeItem(storageKey)
  else localStorage.setItem(storageKey, 'off')
}
