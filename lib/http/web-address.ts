/** What an address must be, in an error. */
export const WEB_ADDRESS_FORM = 'an address without a query, such as http://mock:33000'

/** Whether a text is an absolute address of http or https, without a user, a query and a fragment. */
export function isWebAddress(text: unknown): text is string {
  if (typeof text !== 'string' || !/^https?:\/\/[^?#@\\\s]+$/i.test(text)) return false
  return URL.canParse(text)
}
