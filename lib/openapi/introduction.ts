import type { DocumentContext } from './context'

/** The head of the document: what this is, and what to do first. */
export function introduction({
  resources,
  rules,
  publicCollection,
}: DocumentContext): Record<string, unknown> {
  const unreachable = resources.filter(({ segment }) => segment === undefined)
  const hasRules = Object.keys(rules).length > 0
  return {
    title: 'json-server-bearer',
    version: '0.1.0',
    summary: 'A mock REST API with a login',
    description: [
      '**To begin:** log in with `POST /auth/login`, and send the token that it gives with every other request, as ' +
        '`Authorization: Bearer <access_token>`. On the page, a login does that by itself; or paste a token into **Authorize**.',
      `Without a token you can log in, look up users${
        publicCollection === false ? '' : ` and read \`${publicCollection}\``
      }. Everything else is answered by 401.`,
      'HEAD is answered like GET, without a body. Records can have other fields than those shown, and of other types: ' +
        'the document was made from the data as it was loaded.',
      ...(hasRules ? ['Not every rewrite rule can be listed as a path; `GET /__rules` has them all.'] : []),
      ...(unreachable.length > 0
        ? [
            `These are not listed, because of what their names mean in a path; a rewrite rule can lead to them: ${unreachable
              .map(({ name }) => JSON.stringify(name))
              .join(', ')}.`,
          ]
        : []),
    ].join('\n\n'),
    contact: { name: 'json-server-bearer' },
    license: { name: 'MIT', identifier: 'MIT' },
  }
}
