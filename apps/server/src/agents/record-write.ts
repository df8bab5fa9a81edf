import { toDetails } from '../audit/details.ts'
import { recordTokenAction } from '../audit/record.ts'
import type { Call } from './call.ts'

/** Records a write of an agent as the action of the API that does the same, and by which tool and agent it came. */
export async function recordWrite(
  { context, caller, tokenId: id, address, client }: Call,
  tool: string,
  { action, target, body, answer }: { action: string; target: string; body: object; answer: object },
): Promise<void> {
  const { name, workspaceId } = caller
  const details = { ...toDetails(action, body, answer), via: 'mcp', tool, client }
  await recordTokenAction(context, { id, name, workspaceId }, { action, address, target, details })
}
