import { LOGIN_PATH, USER_LOOKUP_PATH } from '../../auth/access-policy'
import { ALL } from '../../auth/allow-rules'
import { type DocumentContext, MOST_NESTED, MOST_RESOURCES } from './context'
import { PAGE_PATH } from './own-paths'

/**
 * What the document says of the server: how to log in and what is open, and folded away, how the document was
 * made and what it does not list.
 *
 * @param otherRules the patterns of the rewrite rules that no path of the document shows
 */
export function introduction(context: DocumentContext, otherRules: readonly string[]): string {
  const { resources, rules, readOnly, nestedCount } = context
  const unlisted = resources.filter(({ isListed }) => !isListed)
  const folded = [
    'HEAD is the same as GET, without a body. The document was made from the data as it was loaded: ' +
      'a field is required in responses if every record had it, and in the body of a POST if there were ' +
      'two records or more. The server itself takes less: a record that is sent without such a field ' +
      'lacks it in responses, too. It can also have other fields than those shown, and other types.',
    !readOnly &&
      'A record that is sent without an id gets one. A form is read like JSON; its values are strings.',
    resources.length > MOST_RESOURCES &&
      `Only the first ${MOST_RESOURCES} of ${resources.length} resources are listed.`,
    nestedCount > MOST_NESTED &&
      `The ${nestedCount} nested paths, such as \`/posts/{id}/comments\`, are not listed.`,
    list(
      'Other rewrite rules, whose paths are not listed',
      otherRules.map((from) => `\`${from}\` leads to \`${rules[from]}\``),
    ),
    list(
      'Not listed here, because of their names',
      unlisted.map(({ name }) => JSON.stringify(name)),
    ),
  ].filter((paragraph) => paragraph !== false)
  // The empty lines end HTML, so that what is between is read as CommonMark.
  return [
    whatIsOpen(context),
    '<details><summary>What this document shows, and what it does not</summary>',
    ...folded,
    '</details>',
  ].join('\n\n')
}

function whatIsOpen({ resources, publicCollection, allowed }: DocumentContext): string {
  if (allowed === ALL)
    return (
      '**Everything is open:** no request needs a token, except `GET /auth/me`; one that is sent and ' +
      'not valid is ignored.'
    )
  const reads = resources.some(({ isPublic }) => isPublic) ? `\`${publicCollection}\` and ` : ''
  const rules = allowed.map(({ method, path }) => `\`${method} ${path}\``).join(', ')
  return (
    `**Log in** at the top of \`${PAGE_PATH}\`, or send the \`access_token\` from ` +
    `\`POST ${LOGIN_PATH}\` as \`Authorization: Bearer <access_token>\`. Without it you can read ` +
    `${reads}the fixed list at \`GET ${USER_LOOKUP_PATH}\`; everything else needs it` +
    `${rules && `, except for ${rules}`}.`
  )
}

function list(head: string, parts: readonly string[]): string | false {
  return parts.length > 0 && `${head}: ${parts.join(', ')}.`
}
