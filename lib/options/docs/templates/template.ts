/**
 * Fills names in: takes a part of a document, as a JSON file has it, with `{{names}}` in its texts and keys.
 *
 * @returns a function that makes a copy with these values in the place of the names
 */
export function template<Part>(part: Part): (values: object) => Part {
  const text = JSON.stringify(part)
  return (values) => {
    const byName = new Map(Object.entries(values))
    return JSON.parse(
      text.replace(/\{\{(\w+)\}\}/g, (_all, name) => JSON.stringify(String(byName.get(name))).slice(1, -1)),
    )
  }
}
