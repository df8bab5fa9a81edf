import { CrashGroupStatus, CrashKind } from '@fairlead/contract'
import { z } from 'zod'
import { requireApplicationByAlias } from '../applications/find.ts'
import { listCrashGroups } from '../crash-groups/find.ts'
import { CrashBrief, toCrashBrief } from './briefs.ts'
import { shareOf } from './call.ts'
import { applicationField, cursorField, describeId, limitField, queryField, readIdCursor } from './fields.ts'
import { defineTool } from './tool.ts'
import { Cursor, sentence, toCursorOrNull } from './trusted.ts'

const whenEmpty = sentence`No crash has come: the page "Set up" among the crashes says how an app sends them.`

export const listCrashesTool = defineTool({
  name: 'list_crashes',
  description:
    'Lists the crash groups of an application: equal crashes stand in one group. Use it to find what breaks, or ' +
    'whether a given exception is known. Then explain_crash with a crashGroupId for the cause.',
  input: z.strictObject({
    application: applicationField,
    status: CrashGroupStatus.optional().describe('All if left out'),
    kind: CrashKind.optional().describe('All if left out'),
    buildId: describeId('Only groups that crashed in this build').optional(),
    query: queryField('titles, culprits, messages and keys'),
    sort: z.enum(['lastSeen', 'firstSeen', 'crashes', 'installs', 'trend']).optional().describe('lastSeen if left out'),
    limit: limitField,
    cursor: cursorField,
  }),
  output: z.object({ crashGroups: z.array(CrashBrief), nextCursor: Cursor.nullable() }),
  async run(call, { application: alias, query, limit, cursor, ...filter }) {
    const { context, caller } = call
    const { id } = await requireApplicationByAlias(context, caller.workspaceId, alias)
    const { items, nextCursor } = await listCrashGroups(context, id, {
      ...filter,
      ...(query !== undefined && { q: query }),
      limit: shareOf(call, limit),
      cursor: readIdCursor(cursor),
    })
    const isUnfiltered = [query, cursor, ...Object.values(filter)].every((value) => value === undefined)
    return {
      crashGroups: items.map((group) => toCrashBrief(group, context.config.baseUrl)),
      nextCursor: toCursorOrNull(nextCursor),
      ...(items.length === 0 && isUnfiltered && { next: [whenEmpty] }),
    }
  },
})
