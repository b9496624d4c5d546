import type { DocumentContext } from './context'

/**
 * The head of the document: what the server is, and what to do first.
 *
 * @param unlisted the rewrite rules that no path of the document shows
 */
export function introduction(
  { resources, publicCollection }: DocumentContext,
  unlisted: readonly string[],
): Record<string, unknown> {
  const publicReads = resources.some(({ name, kind }) => name === publicCollection && kind === 'collection')
  const unreachable = resources.filter(({ segment }) => segment === undefined).map(({ name }) => name)
  return {
    title: 'json-server-bearer',
    version: '0.1.0',
    summary: 'A mock REST API with a login',
    description: [
      '**To begin:** log in with `POST /auth/login`, and send the token from its response with every other request, as ' +
        '`Authorization: Bearer <access_token>`. The page `/docs` sends it by itself after a login.',
      `Without a token you can log in${
        publicReads ? `, read \`${publicCollection}\`` : ''
      } and look up users. Everything else needs a token.`,
      'HEAD is the same as GET, without a body. Records can have other fields than those shown, and of other types: ' +
        'the document was made from the data as it was loaded.',
      ...(unlisted.length > 0
        ? [
            `The paths of these rewrite rules are not listed: ${unlisted.map((from) => `\`${from}\``).join(', ')}.`,
          ]
        : []),
      ...(unreachable.length > 0
        ? [
            'No path leads to these names of the data, unless a rewrite rule does: ' +
              `${unreachable.map((name) => JSON.stringify(name)).join(', ')}.`,
          ]
        : []),
    ].join('\n\n'),
    contact: { name: 'json-server-bearer' },
    license: { name: 'MIT', identifier: 'MIT' },
  }
}
