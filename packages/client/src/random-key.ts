/** Returns 128 random bits as text. `crypto.randomUUID` would not do, because pages without HTTPS lack it. */
export function createRandomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
