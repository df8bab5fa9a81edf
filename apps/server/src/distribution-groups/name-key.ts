/** Group names are unique case-insensitively, so lookups use this normalized key. */
export function toNameKey(name: string): string {
  return name.trim().toLowerCase()
}
