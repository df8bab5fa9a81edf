/** A permission of Android itself without its prefix, which says nothing. */
export function toShortPermission(permission: string): string {
  return permission.replace(/^android\.permission\./, '')
}
