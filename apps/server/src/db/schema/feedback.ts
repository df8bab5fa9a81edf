/** The tables of feedback as Kysely types. */
import type { Feedback, FeedbackStatus } from '@fairlead/contract'
import type { Generated } from 'kysely'

interface FeedbackTable {
  id: Generated<number>
  workspace_id: number
  application_id: number
  build_id: number
  /** The tester of the personal link that it came from. */
  tester_id: number | null
  /** What the person left to be reached by. */
  contact: string | null
  text: string
  user_agent: string | null
  status: FeedbackStatus
  created_at: number
}

interface FeedbackPicturesTable {
  feedback_id: number
  /** From 1, in the order in which they came. */
  number: number
  workspace_id: number
  blob_id: number
  content_type: Feedback['pictures'][number]['contentType']
  /** In pixels, before the picture is turned as its orientation says. */
  width: number
  height: number
}

export interface FeedbackSchema {
  feedback: FeedbackTable
  feedback_pictures: FeedbackPicturesTable
}
