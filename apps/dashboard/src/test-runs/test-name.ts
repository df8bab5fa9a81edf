interface Named {
  suite: string | null
  class: string | null
  name: string
  parameters: string | null
  file: string | null
}

/** Returns the name of a test with its parameters: `adds two numbers [1, 2]`. */
export function toTestName({ name, parameters }: Pick<Named, 'name' | 'parameters'>): string {
  return parameters === null || parameters === '' ? name : `${name} [${parameters}]`
}

/** Returns the suite of a test with its class, or with its file if no class is named: `unit › shop.CartTest`. */
export function toTestPlace({ suite, class: className, file }: Pick<Named, 'suite' | 'class' | 'file'>): string {
  const parts = [suite, className ?? file].filter((part) => part !== null && part !== '')
  return [...new Set(parts)].join(' › ')
}

/** Formats milliseconds: `142 ms`, `3.4 s`, `2 min 5 s`. */
export function formatDuration(ms: number): string {
  if (ms < 999.5) return `${ms < 10 ? Math.round(ms * 10) / 10 : Math.round(ms)} ms`
  if (ms < 59_950) return `${Math.round(ms / 100) / 10} s`
  const seconds = Math.round(ms / 1000)
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}

export function toRunName({ id, key }: { id: number; key: string | null }): string {
  return key === null ? `Run ${id}` : key
}
