import { Platform } from '@fairlead/contract'
import { z } from 'zod'
import { listApplications } from '../applications/find.ts'
import { countOpenCrashGroups } from '../crash-groups/find.ts'
import { shareOf } from './call.ts'
import { cursorField, readIdCursor } from './fields.ts'
import { defineTool } from './tool.ts'
import { Alias, Cursor, sentence, toAlias, toCursorOrNull, toRef } from './trusted.ts'
import { Cut, untrusted, untrustedOf } from './untrusted.ts'

const pageSize = 50
const whenEmpty = sentence`There is no application yet: an admin makes one with \`fairlead apps create\`.`

export const listApplicationsTool = defineTool({
  name: 'list_applications',
  description:
    'Lists the applications that this token sees, with their aliases, which most other tools take. Call it first. ' +
    'Then list_crashes for what breaks, list_builds for what was built, list_tests for tests.',
  input: z.strictObject({ cursor: cursorField }),
  output: z.object({
    applications: z.array(
      z.object({
        applicationId: z.int(),
        alias: Alias,
        platform: Platform,
        newestBuildId: z.int().nullable(),
        openCrashGroupCount: z.int(),
        untrusted: untrustedOf({ name: z.string() }),
        more: z.array(Cut).optional(),
      }),
    ),
    nextCursor: Cursor.nullable(),
  }),
  async run(call, { cursor }) {
    const { context, caller } = call
    const page = { limit: shareOf(call, pageSize), cursor: readIdCursor(cursor) }
    const { items, nextCursor } = await listApplications(context, caller.workspaceId, page)
    const counts = await countOpenCrashGroups(
      context,
      items.map(({ id }) => id),
    )
    return {
      applications: items.map((row) => ({
        applicationId: row.id,
        alias: toAlias(row.alias),
        platform: row.platform,
        newestBuildId: row.latest_id,
        openCrashGroupCount: counts.get(row.id) ?? 0,
        ...untrusted({ name: row.name }, toRef('application', row.id)),
      })),
      nextCursor: toCursorOrNull(nextCursor),
      ...(items.length === 0 && cursor === undefined && { next: [whenEmpty] }),
    }
  },
})
