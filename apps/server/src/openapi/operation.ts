import type { Role } from '@fairlead/contract'

const articles = new Set(['a', 'an', 'the', 'its', 'all', 'with'])

/** Makes an `operationId` of a summary: "List the builds of an application" becomes `listBuildsOfApplication`. */
export function toOperationId(summary: string): string {
  const words = summary.replace(/[^A-Za-z0-9 ]+/g, ' ').split(/\s+/)
  const [first = '', ...others] = words.filter((word) => word !== '' && !articles.has(word.toLowerCase()))
  return [first.toLowerCase(), ...others.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))].join('')
}

/** Describes an operation by its summary, and by who may call it. A route's own description replaces it. */
export function toDescription(
  summary: string,
  { role, isPublic }: { role?: Role | undefined; isPublic: boolean },
): string {
  if (isPublic) return `${summary}. Needs no token.`
  if (role === undefined) return `${summary}. Needs a signed-in account.`
  return `${summary}. Needs the role \`${role}\`${role === 'admin' ? '' : ' or a higher one'}.`
}
