import path from 'node:path'
import type { DocsAddition } from '../../docs-addition'
import type { SandboxAddition } from '../../sandbox-addition'
import description from './routes.json'

/** What `--sandboxes` adds to the document and the page: its routes, and the header that names a sandbox. */
export function sandboxDocs(additions: readonly SandboxAddition[]): DocsAddition {
  const { paths, ...others } = description
  return {
    ...others,
    paths: [...Object.entries(paths), ...additions.flatMap((addition) => addition.paths)],
    pageModule: path.join(__dirname, 'sandbox.mjs'),
  }
}
