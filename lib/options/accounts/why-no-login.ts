import { whyNoFields } from '../../auth/login-refusal'
import { isJsonAsForm, JSON_AS_FORM } from '../../http/json-as-form'

/**
 * Why a login is refused, as a clause for the server's log. It holds no value that was sent.
 *
 * @param reason why the body is nobody
 * @param contentType of the request
 */
export function whyNoLogin(
  body: Readonly<Record<string, unknown>>,
  reason: string,
  contentType: string | undefined,
): string {
  if (Object.keys(body).length === 0) return whyNoFields(contentType)
  return isJsonAsForm(body) ? JSON_AS_FORM : reason
}
