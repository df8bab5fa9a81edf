/** Names the system of a crash with its version, such as "Android 16"; an empty text when the report names none. */
export function describeSystem({ osName, osVersion }: { osName: string | null; osVersion: string | null }): string {
  return [osName, osVersion].filter(Boolean).join(' ')
}
