/**
 * Writes how the command line is run without an installation.
 *
 * @param cliUrl the packed command line that the server offers; null if it offers none
 */
export function toCliCommand(cliUrl: string | null): string {
  // The name without a scope belongs to nobody on the public registry, and whoever takes it would get the token.
  return `npx --yes --package ${cliUrl ?? '@fairlead/cli'} -- fairlead`
}
