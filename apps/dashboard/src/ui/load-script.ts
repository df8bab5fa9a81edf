import { lazyRouteComponent as createLazyComponent } from '@tanstack/react-router'

/** A script of a page or dialog could not be loaded: there is no connection, or the server has a newer version. */
export class MissingScriptError extends Error {
  override name = 'MissingScriptError'
}

/** Loads a script; its failure is an error by which pages know that loading the whole page again may help. */
export async function loadScript<Module>(load: () => Promise<Module>): Promise<Module> {
  try {
    return await load()
  } catch (cause) {
    throw new MissingScriptError('A part of this page could not be loaded', { cause })
  }
}

/**
 * The router's function of the same name, whose own remedy for a failed script is to load the page again at once. That
 * shows the browser's error page to everyone who is offline, so `RouteError` decides instead.
 */
export const lazyRouteComponent: typeof createLazyComponent = (importer, exportName) =>
  createLazyComponent(() => loadScript(importer), exportName)
