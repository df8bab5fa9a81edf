/** The filters of a list of builds, as search parameters. */
export type BuildsSearch = {
  q?: string
  branch?: string
  version?: string
  group?: string
}

const names = ['q', 'branch', 'version', 'group'] as const

/** Reads the filters from search parameters. The router parses numbers, so they are turned back into text. */
export function readBuildsSearch(search: Record<string, unknown>): BuildsSearch {
  const given = names.flatMap((name) => {
    const value = search[name]
    const text = typeof value === 'number' ? String(value) : value
    return typeof text === 'string' && text !== '' ? [[name, text] as const] : []
  })
  return Object.fromEntries(given)
}
