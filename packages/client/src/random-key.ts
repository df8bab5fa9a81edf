/** 128 random bits as text. Unlike `crypto.randomUUID` it is there in pages without HTTPS too. */
export function createRandomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
