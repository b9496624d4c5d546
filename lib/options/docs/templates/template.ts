/**
 * Fills names in: takes a part of a document, as a JSON file has it, with `{{names}}` in its texts and keys.
 *
 * @returns a function that makes a copy with these values in the place of the names
 */
export function template<Part>(part: Part): (values: Readonly<Record<string, unknown>>) => Part {
  const text = JSON.stringify(part)
  return (values) =>
    JSON.parse(
      text.replace(/\{\{(\w+)\}\}/g, (_all, name) => JSON.stringify(String(values[name])).slice(1, -1)),
    )
}
