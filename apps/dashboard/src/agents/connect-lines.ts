/** How each agent is told of this server. The token comes from a variable, so that no file holds it. */
export interface AgentLines {
  agent: string
  /** The file or the shell into which the lines are written. */
  place: string
  lines: string
}

export function toAgentLines(baseUrl: string): AgentLines[] {
  const url = `${baseUrl}/mcp`
  const header = (token: string) => ({ Authorization: `Bearer ${token}` })
  return [
    {
      agent: 'Claude Code',
      place: 'Run in a shell',
      lines: `claude mcp add --transport http fairlead ${url} \\\n  --header "Authorization: Bearer $FAIRLEAD_TOKEN"`,
    },
    {
      agent: 'A project in Claude Code',
      place: '.mcp.json',
      lines: toJson({ mcpServers: { fairlead: { type: 'http', url, headers: header('${FAIRLEAD_TOKEN}') } } }),
    },
    {
      agent: 'Cursor',
      place: '.cursor/mcp.json',
      lines: toJson({ mcpServers: { fairlead: { url, headers: header('${env:FAIRLEAD_TOKEN}') } } }),
    },
    {
      agent: 'VS Code',
      place: '.vscode/mcp.json',
      lines: toJson({
        inputs: [{ id: 'fairlead-token', type: 'promptString', description: 'API token of Fairlead', password: true }],
        servers: { fairlead: { type: 'http', url, headers: header('${input:fairlead-token}') } },
      }),
    },
    {
      agent: 'Codex',
      place: 'Run in a shell',
      lines: `codex mcp add fairlead --url ${url} \\\n  --bearer-token-env-var FAIRLEAD_TOKEN`,
    },
  ]
}

function toJson(value: unknown): string {
  return JSON.stringify(value, null, 2)
}
