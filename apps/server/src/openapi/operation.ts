import type { Role } from '@fairlead/contract'

const articles = new Set(['a', 'an', 'the', 'its', 'all', 'with'])

/** Cuts a summary to its first clause; the description has the rest. */
export function toSummary(summary: string): string {
  return summary.split(/[;:]/)[0] ?? summary
}

/** Makes an `operationId` of a summary: "List the API tokens of a member" becomes `listApiTokensOfMember`. */
export function toOperationId(summary: string): string {
  const words = toSummary(summary)
    .replace(/[^A-Za-z0-9 ]+/g, ' ')
    .split(/\s+/)
  const [first = '', ...others] = words.filter((word) => word !== '' && !articles.has(word.toLowerCase()))
  return [first.toLowerCase(), ...others.map(toCapitalized)].join('')
}

function toCapitalized(word: string): string {
  const rest = word.slice(1)
  return word.slice(0, 1).toUpperCase() + (word === word.toUpperCase() ? rest.toLowerCase() : rest)
}

/** Describes an operation by its summary or its own description, and by who may call it. */
export function toDescription(
  text: string,
  { role, isPublic }: { role?: Role | undefined; isPublic: boolean },
): string {
  const sentence = /[.)]$/.test(text) ? text : `${text}.`
  if (isPublic) return `${sentence} Needs no token.`
  if (role === undefined) return `${sentence} Needs a signed-in account.`
  return `${sentence} Needs the role \`${role}\`${role === 'admin' ? '' : ' or a higher one'}.`
}
