/** Returns the value for an `email_key` column, which makes e-mail addresses unique regardless of case. */
export function toEmailKey(email: string): string {
  return email.trim().toLowerCase()
}
