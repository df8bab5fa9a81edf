import type { Build } from '@fairlead/contract'

const profileTypes = {
  development: 'Development',
  'ad-hoc': 'Ad hoc',
  enterprise: 'Enterprise',
  'app-store': 'App Store',
} as const

/** Says in a few words how a build is signed: by the type of its profile, else by the name in its certificate. */
export function describeSigning({ signing }: Pick<Build, 'signing'>): string {
  if (!signing || (signing.certificates.length === 0 && !signing.profile)) return 'Not signed'
  if (signing.integrity === 'broken') return 'Signature broken'
  if (signing.profile) return profileTypes[signing.profile.type]
  const subject = signing.certificates[0]?.subject ?? ''
  const name = /(?:^|,\s*)CN=((?:\\.|[^,])+)/.exec(subject)?.[1] ?? subject
  return name === 'Android Debug' ? 'Debug key' : `Signed by ${name}`
}
