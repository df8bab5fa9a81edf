/** Removes the prefix that all of Android's own permissions share. */
export function toShortPermission(permission: string): string {
  return permission.replace(/^android\.permission\./, '')
}
