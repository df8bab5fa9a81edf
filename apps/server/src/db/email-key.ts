/** Returns the value of the columns `email_key`, by which e-mail addresses are compared case-insensitively. */
export function toEmailKey(email: string): string {
  return email.trim().toLowerCase()
}
