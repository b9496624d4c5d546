import { LOGIN_PATH, USER_LOOKUP_PATH } from '../../auth/access-policy'
import { ALL } from '../../auth/allow-rules'
import { packageVersion } from '../../files/package-version'
import type { DocumentContext } from './context'
import { PAGE_PATH } from './own-paths'

/**
 * The `info` of the document: what the server is, and what to do first.
 *
 * @param others the patterns of the rewrite rules that no path of the document shows
 */
export function introduction(
  { resources, rules, publicCollection, allowed, readOnly, sampleLogin }: DocumentContext,
  others: readonly string[],
): Record<string, unknown> {
  const publicReads = resources.some(({ name, kind }) => name === publicCollection && kind === 'collection')
  const unlisted = resources.filter(({ segment }) => segment === undefined)
  return {
    title: 'json-server-bearer',
    version: packageVersion(),
    summary: 'A mock REST API with a login',
    description: [
      ...(allowed === ALL
        ? [
            '**Everything is open:** no request needs a token, except `GET /auth/me`; one that is sent and ' +
              'not valid is ignored.',
          ]
        : [
            `**To begin:** log in with \`POST ${LOGIN_PATH}\`, and send the token from its response with ` +
              'every other request, as `Authorization: Bearer <access_token>`. ' +
              `On the page \`${PAGE_PATH}\`, ${
                sampleLogin
                  ? 'press **Log in**, then **Execute**; the page then sends the token for you'
                  : 'press **Log in** at the top, type your email and password, and press **Execute**; ' +
                    'the page then sends the token for you'
              }.`,
            `Without a token you can log in${
              publicReads ? `, read \`${publicCollection}\`` : ''
            } and read the fixed list of users at \`GET ${USER_LOOKUP_PATH}\`. Everything else needs a token${
              allowed.length > 0
                ? `, except for ${allowed.map(({ method, path }) => `\`${method} ${path}\``).join(', ')}`
                : ''
            }.`,
          ]),
      'HEAD is the same as GET, without a body. The document was made from the data as it was loaded: ' +
        'a field is required in responses if every record had it, and in the body of a POST if there were ' +
        'two records or more. The server itself takes less: a record that is sent without such a field ' +
        'lacks it in responses, too. It can also have other fields than those shown, and other types.',
      ...(readOnly
        ? []
        : [
            'A record that is sent without an id gets one. A form is read like JSON; its values are strings.',
          ]),
      ...sentence(
        'Other rewrite rules, whose paths are not listed',
        others.map((from) => `\`${from}\` leads to \`${rules[from]}\``),
      ),
      ...sentence(
        'Not listed here, because of their names',
        unlisted.map(({ name }) => JSON.stringify(name)),
      ),
    ].join('\n\n'),
    contact: { name: 'json-server-bearer' },
    license: { name: 'MIT', identifier: 'MIT' },
  }
}

function sentence(head: string, parts: readonly string[]): string[] {
  return parts.length > 0 ? [`${head}: ${parts.join(', ')}.`] : []
}
