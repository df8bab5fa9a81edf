/** What the columns `email_key` hold: addresses are compared without case. */
export function toEmailKey(email: string): string {
  return email.trim().toLowerCase()
}
