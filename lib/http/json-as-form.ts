/** What has happened, and what to do: `curl -d` sends JSON with the content type of a form, unless it is told another. */
export const JSON_AS_FORM = 'JSON was sent as a form: send the header Content-Type: application/json'

/** Whether a parsed form was JSON: a form parser takes the text up to the first `=` or `&` as a name. */
export function isJsonAsForm(body: Record<string, unknown>): boolean {
  return Object.keys(body).some((name) => /^\s*['"]?[{[]/.test(name))
}
