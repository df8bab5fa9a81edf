import type { Provider } from '../oidc/open-providers.ts'

/** Whether the word of the provider counts for an e-mail address. */
export function isOfDomain({ domains }: Pick<Provider, 'domains'>, email: string): boolean {
  return domains.includes(email.slice(email.lastIndexOf('@') + 1).toLowerCase())
}
