/** Splits `iPhone OS 18.5 (22F76)` into the system's name and its version. */
export function splitOsVersion(text: string | null): { osName: string | null; osVersion: string | null } {
  const parts = /^(.{0,100}?)\s+([\d.]{1,40})\s*(?:\(|$)/.exec(text ?? '')
  return { osName: parts?.[1] || null, osVersion: parts?.[2] || null }
}
