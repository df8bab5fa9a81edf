/** Returns an Android permission without the common prefix `android.permission.`. */
export function toShortPermission(permission: string): string {
  return permission.replace(/^android\.permission\./, '')
}
