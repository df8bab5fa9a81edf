import { z } from 'zod'
import { requireApplicationByAlias } from '../applications/find.ts'
import { findBuilds } from '../builds/list.ts'
import { BuildBrief, toBuildBrief } from './briefs.ts'
import { shareOf } from './call.ts'
import { applicationField, cursorField, limitField, queryField, readIdCursor } from './fields.ts'
import { defineTool } from './tool.ts'
import { Cursor, sentence, toAlias, toCursorOrNull } from './trusted.ts'

export const listBuildsTool = defineTool({
  name: 'list_builds',
  description:
    'Lists the builds of an application, newest first. Use it to find a build by branch, version or commit. Then ' +
    'get_build for its symbols and tests, or compare_builds for what changed in it.',
  input: z.strictObject({
    application: applicationField,
    branch: z.string().max(500).optional().describe('Branch of the builds, whole'),
    query: queryField('versions, branch, commit and notes'),
    limit: limitField,
    cursor: cursorField,
  }),
  output: z.object({ builds: z.array(BuildBrief), nextCursor: Cursor.nullable() }),
  async run(call, { application: alias, branch, query, limit, cursor }) {
    const { context, caller } = call
    const application = await requireApplicationByAlias(context, caller.workspaceId, alias)
    const { items, nextCursor } = await findBuilds(context, application, {
      ...(branch !== undefined && { branch }),
      ...(query !== undefined && { q: query }),
      limit: shareOf(call, limit),
      cursor: readIdCursor(cursor),
    })
    const isUnfiltered = branch === undefined && query === undefined && cursor === undefined
    const upload = sentence`No build yet: \`fairlead builds upload FILE --app ${toAlias(alias)}\` sends one.`
    return {
      builds: items.map((build) => toBuildBrief(build, context.config.baseUrl, { isListed: true })),
      nextCursor: toCursorOrNull(nextCursor),
      ...(items.length === 0 && isUnfiltered && { next: [upload] }),
    }
  },
})
