import { launchBrowser } from './browser'
import { compileServer } from './compile'

/** Prepares what the slow tests share. Jest calls this before all of them. */
export default async function prepare(): Promise<void> {
  await Promise.all([compileServer(), launchBrowser()])
}
