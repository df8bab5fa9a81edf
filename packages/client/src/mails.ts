import type { Mail, MailDelivery } from '@fairlead/contract'
import type { Connection } from './connection.ts'
import { type Paging, requestPage } from './page.ts'

/** What was sent, and what waits where no mail server is set. */
export function mailsOf(connection: Connection) {
  const { request, send } = connection
  return {
    listPage: (paging: Paging) => requestPage<Mail>(connection, '/v1/mails', { ...paging }),
    get: (id: number) => request<Mail>('GET', `/v1/mails/${id}`),
    getDelivery: () => request<MailDelivery>('GET', '/v1/mailDelivery'),
    sendHeld: () => request<MailDelivery>('POST', '/v1/mailDelivery/sendHeld'),
    discardHeld: () => request<MailDelivery>('POST', '/v1/mailDelivery/discardHeld'),
    retry: (id: number) => send('POST', `/v1/mails/${id}/retry`),
  }
}
