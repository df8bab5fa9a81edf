/** Loaded before the server of a bench (`--import`): a server as it would be without the addresses of agents. */
import { registerHooks } from 'node:module'

registerHooks({
  load: (url, context, load) =>
    url.endsWith('/agents/routes.ts')
      ? { format: 'module', source: 'export function addAgentRoutes() {}', shortCircuit: true }
      : load(url, context),
})
