/** Group names are compared without case. */
export function toNameKey(name: string): string {
  return name.trim().toLowerCase()
}
