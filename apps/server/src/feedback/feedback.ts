import type { Feedback } from '@fairlead/contract'
import type { Row } from '../db/schema.ts'
import { toInstant } from '../http/instant.ts'

export interface PictureRecord extends Omit<Row<'feedback_pictures'>, 'workspace_id'> {
  /** In bytes. */
  size: number
}

/** A row of feedback with its tester and its pictures. */
export interface FeedbackRecord extends Row<'feedback'> {
  tester_email: string | null
  tester_name: string | null
  pictures: PictureRecord[]
}

export function toFeedback(record: FeedbackRecord, baseUrl: string): Feedback {
  const { tester_id: testerId, tester_email: email } = record
  return {
    id: record.id,
    applicationId: record.application_id,
    buildId: record.build_id,
    tester: testerId === null || email === null ? null : { id: testerId, email, name: record.tester_name },
    contact: record.contact,
    text: record.text,
    userAgent: record.user_agent,
    pictures: record.pictures.map(({ number, content_type: contentType, size, width, height }) => ({
      url: `${baseUrl}/v1/feedback/${record.id}/pictures/${number}`,
      contentType,
      size,
      width,
      height,
    })),
    status: record.status,
    createdDate: toInstant(record.created_at),
  }
}
