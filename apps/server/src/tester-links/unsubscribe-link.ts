import { isSame, sign } from '../secrets/signature.ts'

/** An address of a workspace that gets mails as a tester. */
export interface Subscription {
  workspaceId: number
  emailKey: string
}

/**
 * Returns the address where a tester can unsubscribe. It names the workspace and the e-mail address instead of the
 * tester, so that the link in an old mail still acts when the tester was deleted and added again.
 */
export function toUnsubscribeUrl({ workspaceId, emailKey }: Subscription, baseUrl: string, key: Buffer): string {
  const content = `${workspaceId.toString(36)}.${Buffer.from(emailKey).toString('base64url')}`
  return `${baseUrl}/unsubscribe/${content}.${signContent(key, content)}`
}

/** Returns undefined for a token with a wrong signature. */
export function readUnsubscribeToken(key: Buffer, token: string): Subscription | undefined {
  const [, workspace = '', email = '', signature = ''] =
    /^([0-9a-z]{1,11})\.([\w-]{1,1500})\.([\w-]{22})$/.exec(token) ?? []
  if (!isSame(signature, signContent(key, `${workspace}.${email}`))) return undefined
  return { workspaceId: Number.parseInt(workspace, 36), emailKey: Buffer.from(email, 'base64url').toString('utf8') }
}

function signContent(key: Buffer, content: string): string {
  return sign(key, `unsubscribe:${content}`)
}
