import type { Mail, MailDelivery } from '@fairlead/contract'
import type { CallOptions, Connection } from './connection.ts'
import { type Paging, requestPage } from './page.ts'

/** The outbox: mails that were sent, and mails that wait because no mail server is configured. */
export function mailsOf(connection: Connection) {
  const { request, send } = connection
  return {
    listPage: (paging: Paging, options?: CallOptions) =>
      requestPage<Mail>(connection, '/v1/mails', { ...paging }, options),
    get: (id: number, options?: CallOptions) => request<Mail>('GET', `/v1/mails/${id}`, options),
    getDelivery: (options?: CallOptions) => request<MailDelivery>('GET', '/v1/mailDelivery', options),
    sendHeld: (options?: CallOptions) => request<MailDelivery>('POST', '/v1/mailDelivery/sendHeld', options),
    discardHeld: (options?: CallOptions) => request<MailDelivery>('POST', '/v1/mailDelivery/discardHeld', options),
    /** Puts a mail into the outbox that shows that mails arrive. */
    sendTest: (recipient: string, options?: CallOptions) =>
      request<Mail>('POST', '/v1/mails/test', { body: { recipient }, ...options }),
    retry: (id: number, options?: CallOptions) => send('POST', `/v1/mails/${id}/retry`, options),
  }
}
